package data_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// sixRows are x → y, y → z with a regression of v on w; x was set in rows 3 and 4, y and v in row 4.
func sixRows(t *testing.T, times int) (*data.Table, []string) {
	t.Helper()
	repeat := func(s []bn.State) []bn.State { return slices.Repeat(s, times) }
	x, y := bn.Discrete("x", "a", "b"), bn.Discrete("y", "a", "b")
	table, err := data.New(
		data.Column{Var: x, States: repeat([]bn.State{0, 0, 1, 1, 1, 0})},
		data.Column{Var: y, States: repeat([]bn.State{0, 1, 1, 0, 1, bn.Missing})},
		data.Column{Var: bn.Continuous("w"), Values: slices.Repeat([]float64{1, 2, 3, 4, 5, 6}, times)},
		data.Column{Var: bn.Continuous("v"), Values: slices.Repeat([]float64{2, 4, 6, 100, 10, 12}, times)})
	if err != nil {
		t.Fatal(err)
	}
	return table, slices.Repeat([]string{"", "", "x", " x;y ; v", "", ""}, times)
}

func TestInterventionsLeaveTheirOwnFamilyOut(t *testing.T) {
	for _, times := range []int{1, 1000} { // one family at a time, and by blocks
		plain, cells := sixRows(t, times)
		set, err := plain.WithInterventions("set", cells)
		if err != nil {
			t.Fatal(err)
		}
		families := []data.Family{{"x", nil}, {"y", []string{"x"}}, {"x", []string{"y"}}}
		skip := &data.CountOptions{SkipMissing: true}
		// By hand: x counts rows 1, 2, 5, 6; y rows 1, 2, 3, 5 and would count 6; x given y rows 1, 2, 5.
		want := [][]float64{{3, 1}, {1, 1, 0, 2}, {1, 0, 1, 1}}
		skipped := []float64{0, 1, 1}
		check := func(table *data.Table, by float64) {
			t.Helper()
			got, err := table.CountFamilies(t.Context(), families, skip)
			if err != nil {
				t.Fatal(err)
			}
			for i := range families {
				for cell, n := range want[i] {
					if got[i].N[cell] != by*n {
						t.Errorf("%d rows, %v: counts %v, want %v times %v", table.Rows(), families[i], got[i].N, by,
							want[i])
						break
					}
				}
				if got[i].Skipped != by*skipped[i] {
					t.Errorf("%v: skipped %v, want %v", families[i], got[i].Skipped, by*skipped[i])
				}
			}
		}
		check(set, float64(times))
		check(set.Distinct(), float64(times))
		kept, err := set.Keep("y", "x")
		if err != nil {
			t.Fatal(err)
		}
		check(kept, float64(times))
		check(set.Select([]int{5, 4, 3, 2, 1, 0}), 1)
		check(set.Head(6), 1)
		heavy, err := set.WithWeights(slices.Repeat([]float64{2}, set.Rows()))
		if err != nil {
			t.Fatal(err)
		}
		check(heavy, 2*float64(times))
		if set.Hash() == plain.Hash() {
			t.Error("the hash does not tell of interventions")
		}
	}
}

func TestInterventionsOnContinuousVariables(t *testing.T) {
	table, cells := sixRows(t, 1)
	set, err := table.WithInterventions("set", cells)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.New("[w][v|w]", bn.Continuous("w"), bn.Continuous("v"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := set.Crossproducts(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	// v = 2w in the rows in which it was not set, so that nothing is left over; w has all rows.
	f := m.Factors[1][0]
	if f.N != 5 || math.Abs(f.R[8]) > 1e-12 || math.Abs(f.R[5]/f.R[4]-2) > 1e-12 || m.Factors[0][0].N != 6 {
		t.Errorf("the factor of v is %v, of w has %v rows; want slope 2 without residual from 5, and 6", f,
			m.Factors[0][0].N)
	}
}

func TestNoInterventionsChangeNothing(t *testing.T) {
	table, _ := sixRows(t, 1)
	set, err := table.WithInterventions("set", []string{"", " ", ";", "", "", ""})
	if err != nil {
		t.Fatal(err)
	}
	if set.Regimes() != nil || set.Hash() != table.Hash() {
		t.Errorf("regimes %v, another hash %t", set.Regimes(), set.Hash() != table.Hash())
	}
}

func TestRegimes(t *testing.T) {
	table, cells := sixRows(t, 1)
	set, err := table.WithInterventions("set", cells)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	rows := 0
	for _, r := range set.Regimes() {
		got = append(got, strings.Join(r.Set, "+"))
		rows += r.Rows.Rows()
		if r.Rows.Regimes() != nil {
			t.Error("a part has regimes")
		}
	}
	if want := []string{"", "x", "v+x+y"}; !slices.Equal(got, want) || rows != 6 {
		t.Errorf("regimes %q of %d rows, want %q of 6", got, rows, want)
	}
}

func TestInterventionErrors(t *testing.T) {
	table, _ := sixRows(t, 1)
	for name, tt := range map[string]struct {
		cells []string
		want  string
	}{
		"unknown":      {[]string{"", "X", "", "", "", ""}, "row 2, column \"set\""},
		"missing":      {[]string{"", "", "", "", "", "y"}, "row 6, column \"y\""},
		"other length": {[]string{"x"}, "1 cells of interventions for 6 rows"},
	} {
		_, err := table.WithInterventions("set", tt.cells)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
		var cell *data.ValueError
		if len(tt.cells) == 6 && !errors.As(err, &cell) {
			t.Errorf("%s: %v is no ValueError", name, err)
		}
	}
}
