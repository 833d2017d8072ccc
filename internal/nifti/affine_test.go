package nifti

import (
	"encoding/binary"
	"math"
	"testing"

	"bnlab/internal/numtest"
)

// TestQuaternion turns by 120° about the diagonal, (1 + i + j + k) / 2, which takes x to y,
// y to z and z to x; by hand, with voxels of 2, 3 and 4 mm. Then with the third axis reversed.
func TestQuaternion(t *testing.T) {
	m := sample()
	b := m.Header()
	float := func(at int, v float32) { binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v)) }
	b[252] = 1
	for i := range 3 {
		float(256+4*i, 0.5)
		float(268+4*i, float32(10+i))
	}
	for _, sign := range []float64{1, -1} {
		float(76, float32(sign))
		h, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		want := [3][4]float64{{0, 0, 4 * sign, 10}, {2, 0, 0, 11}, {0, 3, 0, 12}}
		for row := range 3 {
			for column := range 4 {
				numtest.Close(t, h.Affine[row][column], want[row][column], 1e-12, 0)
			}
		}
	}
}

// TestSameSpace moves a corner by more and by less than a tenth of a millimetre.
func TestSameSpace(t *testing.T) {
	h := &Header{X: 11, Y: 5, Z: 3, Affine: [3][4]float64{{2}, {0, 2}, {0, 0, 2}}}
	for _, test := range []struct {
		change func(m *[3][4]float64)
		want   bool
	}{
		{func(m *[3][4]float64) {}, true},
		{func(m *[3][4]float64) { m[1][3] += 0.05 }, true},
		{func(m *[3][4]float64) { m[1][3] += 0.2 }, false},
		{func(m *[3][4]float64) { m[0][0] += 0.0095 }, true}, // 0.095 mm at the far end
		{func(m *[3][4]float64) { m[0][0] += 0.011 }, false}, // 0.11 mm
		{func(m *[3][4]float64) { m[0][0] = -2; m[0][3] = 20 }, false},
		{func(m *[3][4]float64) { m[2][2] = math.NaN() }, false},
	} {
		o := *h
		test.change(&o.Affine)
		if got := h.SameSpace(&o); got != test.want {
			t.Errorf("%v against %v: %v", o.Affine, h.Affine, got)
		}
	}
}

// TestSides: x runs to the right where millimetres grow, and nothing is said of a head that lies unknown or askew.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		affine   [3][4]float64
		oriented bool
		want     [2]string
	}{
		{[3][4]float64{{3}, {0, 3}, {0, 0, 3}}, true, [2]string{"L", "R"}},
		{[3][4]float64{{-3}, {1, 3}, {0, 0, 3}}, true, [2]string{"R", "L"}},
		{[3][4]float64{{-3}, {0, 3}, {0, 0, 3}}, false, [2]string{}},
		{[3][4]float64{{0, 0, 3}, {3}, {0, 3}}, true, [2]string{}}, // x runs to the front
		{[3][4]float64{{1}, {-2}, {0, 3}}, true, [2]string{}},
		{[3][4]float64{}, true, [2]string{}},
	} {
		h := &Header{Affine: c.affine, Oriented: c.oriented}
		if got := h.Sides(); got != c.want {
			t.Errorf("%v, oriented %v: %q, want %q", c.affine, c.oriented, got, c.want)
		}
	}
}
