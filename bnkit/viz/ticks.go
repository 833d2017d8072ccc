package viz

import (
	"math"
	"slices"
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

// logTicks marks a logarithmic axis at powers of ten, and at some multiples of those
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
			if m == 1 && e%every == 0 || decades < 2.2 && (m == 2 || m == 5) && decades >= 1.1 || decades < 1.1 &&
				(m <= 3 || m == 5 || m == 7) {
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

// number prints x with as many decimals as step needs, thousands apart by commas. The
// very large and the very small are printed as 2.5e6 when three digits tell them apart.
func number(x, step float64) string {
	a := math.Abs(x)
	if x == 0 || a < step*1e-6 {
		return "0"
	}
	sign := ""
	if x < 0 {
		sign = "−"
	}
	place := math.Floor(math.Log10(step) + 1e-9) // of the last digit that matters
	e := math.Floor(math.Log10(a) + 1e-9)
	if (a >= 1e6 || step < 0.99e-4) && e-place < 3 {
		m := strconv.FormatFloat(a/math.Pow(10, e), 'f', max(0, int(e-place)), 64)
		return sign + m + "e" + strings.Replace(strconv.Itoa(int(e)), "-", "−", 1)
	}
	whole, frac, _ := strings.Cut(strconv.FormatFloat(a, 'f', max(0, -int(place)), 64), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if frac != "" {
		whole += "." + frac
	}
	return sign + whole
}

// ticksAt marks the axis at the values of x themselves when these are few, as the sizes of
// training sets are; nil when they are many, crowded or long.
func ticksAt(series []Series, axis *plot.Axis) plot.Ticker {
	var at []float64
	for _, s := range series {
		if !s.Points {
			at = append(at, s.X...)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	if len(at) < 2 || len(at) > 6 {
		return nil
	}
	var out plot.ConstantTicks
	for k, x := range at {
		_, decimals, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
		if len(decimals) > 2 || math.Abs(x) >= 1e6 || k > 0 && axis.Norm(x)-axis.Norm(at[k-1]) < 0.08 {
			return nil
		}
		out = append(out, plot.Tick{Value: x, Label: number(x, math.Pow(10, -float64(len(decimals))))})
	}
	return out
}
