package linprog

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/numtest"
)

// What rounding does to a tableau is undone from the rows.
func TestRefresh(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	p, c := large(60, 60)
	tab, err := start(p)
	if err != nil {
		t.Fatal(err)
	}
	tab.price(func(v int) float64 {
		if v < p.Len {
			return c[v]
		}
		return 0
	})
	if _, err := tab.climb(nil); err != nil {
		t.Fatal(err)
	}
	want, err := tab.point()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range tab.a {
		tab.rhs[i] += 1e-6 * rng.Float64()
		for j := range row {
			row[j] += 1e-6 * rng.NormFloat64()
		}
	}
	gain := slices.Clone(tab.gain)
	for j := range tab.gain {
		tab.gain[j] += 1e-6
	}
	got, err := tab.point()
	if err != nil {
		t.Fatal(err)
	}
	for j := range got {
		numtest.Close(t, got[j], want[j], 1e-9, 0)
	}
	for j := range gain {
		numtest.Close(t, tab.gain[j], gain[j], 1e-10, 1e-10)
	}
}

// The same while artificials are in the basis.
func TestRefreshArtificials(t *testing.T) {
	p := Problem{Len: 2, Equal: []Row{{Index: []int{0, 1}, Coef: []float64{1, 2}, Value: 4},
		{Index: []int{0, 1}, Coef: []float64{2, -2}, Value: -2}},
		AtMost: []Row{{Index: []int{0}, Coef: []float64{-4}, Value: -4}, {Index: []int{1}, Value: 3}}}
	tab, err := layOut(p)
	if err != nil {
		t.Fatal(err)
	}
	tab.price(func(int) float64 { return 0 })
	tab.pivot(1, 1)
	// Scaled rows: x/2 + y = 2, x − y = −1, −x ≤ −1, y ≤ 3. Now y = 1 + x − … in the second.
	want := []float64{1, 1, 1, 2}
	for i := range tab.rhs {
		numtest.Close(t, tab.rhs[i], want[i], 0, 1e-15)
		tab.rhs[i] += 1e-6
		tab.a[i][0] += 1e-6
	}
	if err := tab.refresh(); err != nil {
		t.Fatal(err)
	}
	for i, slope := range []float64{1.5, -1, 1, 1} {
		numtest.Close(t, tab.rhs[i], want[i], 0, 1e-14)
		numtest.Close(t, tab.a[i][0], slope, 0, 1e-14)
	}
}

// Bland's rule takes the lowest variables, whatever the gains and pivots.
func TestBland(t *testing.T) {
	tab, err := layOut(Problem{Len: 2, AtMost: []Row{{Index: []int{0, 1}, Coef: []float64{1, 1}, Value: 0},
		{Index: []int{0, 1}, Coef: []float64{.5, 1}, Value: 0}}})
	if err != nil {
		t.Fatal(err)
	}
	tab.basic[0], tab.basic[1] = tab.basic[1], tab.basic[0]
	tab.price(func(v int) float64 { return []float64{1, 2, 0, 0}[v] })
	if s := tab.entering(true); s != 0 {
		t.Errorf("Bland enters %d", s)
	}
	if r := tab.leaving(0, true); r != 1 {
		t.Errorf("Bland leaves %d", r)
	}
	if s, r := tab.entering(false), tab.leaving(0, false); s != 1 || r != 0 {
		t.Errorf("the largest gain is %d, the largest pivot %d", s, r)
	}
}
