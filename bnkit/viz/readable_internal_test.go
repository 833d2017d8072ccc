package viz

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// ratio is the contrast of two colours by WCAG 2.1.
func ratio(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		sum := 0.0
		for i, part := range []uint8{n.R, n.G, n.B} {
			v := float64(part) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += v * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestSmallTextOnFills: small text of nodes has a contrast of 4.5:1 to every fill that is ours.
func TestSmallTextOnFills(t *testing.T) {
	if got := ratio(color.Black, color.White); math.Abs(got-21) > 1e-9 {
		t.Fatalf("black on white has %v", got)
	}
	texts := map[string]color.Color{"faint": faint, "alone": beliefInk(0, 1)}
	for i := range palette {
		texts[fmt.Sprintf("set %d", i)] = beliefInk(i, len(palette))
	}
	for on, fill := range map[string]color.Color{"node": nodeFill, "round": roundFill, "shade": shadeFill,
		"soft": softFill, "white": white, "observed": mix(shadeFill, white, 0.65)} {
		for name, c := range texts {
			if got := ratio(readable(c, fill), fill); got < 4.5 {
				t.Errorf("%s on %s: %.2f:1", name, on, got)
			}
		}
	}
	if got := readable(faint, white); got != faint {
		t.Errorf("faint on white became %v", got)
	}
}
