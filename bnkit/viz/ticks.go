package viz

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks marks a linear axis at multiples of 1, 2 or 5 times a power of ten.
type ticks struct{}

func (ticks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep(hi-lo, 6)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	var out []plot.Tick
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	for k := first; k <= last && len(out) < 50; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: number(k*step, step)})
	}
	return out
}

// niceStep is the least of 1, 2 or 5 times a power of ten that divides span into at
// most n parts.
func niceStep(span float64, n int) float64 {
	raw := span / float64(n)
	if !(raw > 0) {
		return 0
	}
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*base >= raw*(1-1e-9) {
			return m * base
		}
	}
	return 10 * base
}

// logTicks marks a logarithmic axis at powers of ten, and at 2 and 5 times those
// when there are few.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0 && hi > lo) || math.IsInf(hi, 0) {
		return nil
	}
	decades := math.Log10(hi / lo)
	every := int(decades/8) + 1
	from, to := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	var out []plot.Tick
	labels := 0
	for e := from; e <= to; e++ {
		base := math.Pow(10, float64(e))
		for m := 1; m <= 9; m++ {
			x := float64(m) * base
			if x < lo*(1-1e-9) || x > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: x}
			if m == 1 && e%every == 0 || decades < 2.2 && (m == 2 || m == 5) {
				t.Label = number(x, base)
				labels++
			}
			if decades <= 8 || m == 1 {
				out = append(out, t)
			}
		}
	}
	if labels < 2 {
		return ticks{}.Ticks(lo, hi)
	}
	return out
}

// number prints x with as many decimals as step needs, thousands apart by commas;
// the very large and the very small as a multiple of a power of ten.
func number(x, step float64) string {
	if x == 0 || math.Abs(x) < step*1e-6 {
		return "0"
	}
	if a := math.Abs(x); a >= 1e6 || step < 1e-4 {
		e := int(math.Floor(math.Log10(a) + 1e-9))
		m := strconv.FormatFloat(x/math.Pow(10, float64(e)), 'g', 3, 64)
		switch m {
		case "1":
			return "10" + superscript(e)
		case "-1":
			return "−10" + superscript(e)
		}
		return minus(m) + "·10" + superscript(e)
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	whole, frac, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'f', decimals, 64), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if frac != "" {
		whole += "." + frac
	}
	if x < 0 {
		return "−" + whole
	}
	return whole
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

func superscript(e int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(e))
}
