package hierarchy_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/numtest"
)

// smallTrellis is u = {a, b}, w = {b, c}, top = {u, w}.
func smallTrellis(t testing.TB) *hierarchy.Hierarchy {
	t.Helper()
	h, err := hierarchy.New([]string{"a", "b", "c"},
		hierarchy.Composite{Name: "u", Of: []string{"a", "b"}},
		hierarchy.Composite{Name: "w", Of: []string{"b", "c"}},
		hierarchy.Composite{Name: "top", Of: []string{"u", "w"}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func columns(t testing.TB, cols ...data.Column) *data.Table {
	t.Helper()
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func values(name string, x ...float64) data.Column {
	return data.Column{Var: bn.Continuous(name), Values: x}
}

func maximum(x, _ []float64) float64 { return slices.Max(x) }

func sum(x, _ []float64) float64 { return floats.Sum(x) }

// The rows are (a, b, c) = (1, 2, 6) and (−1, 0, 3); the wanted values are by hand.
func TestAggregate(t *testing.T) {
	double := func(x, _ []float64) float64 { return 2 * x[0] }
	weights := map[string]float64{"a": 3, "b": 1, "c": 2}
	for _, test := range []struct {
		name      string
		by        func(values, weights []float64) float64
		opts      *hierarchy.AggregateOptions
		u, w, top [2]float64
	}{
		{"mean", hierarchy.WeightedMean, nil, [2]float64{1.5, -0.5}, [2]float64{4, 1.5}, [2]float64{2.75, 0.5}},
		// u = (3·1+1·2)/4, w = (1·2+2·6)/3; u weighs 4 and w 3: top = (4·5/4+3·14/3)/7.
		{"weighted mean", hierarchy.WeightedMean, &hierarchy.AggregateOptions{Weights: weights},
			[2]float64{1.25, -0.75},
			[2]float64{14. / 3, 2}, [2]float64{19. / 7, 3. / 7}},
		// top = (3·1+1·2+2·6)/6: b counts once.
		{"weighted mean of atomic", hierarchy.WeightedMean,
			&hierarchy.AggregateOptions{Weights: weights, OfAtomic: true},
			[2]float64{1.25, -0.75}, [2]float64{14. / 3, 2}, [2]float64{17. / 6, 0.5}},
		{"maximum", maximum, nil, [2]float64{2, 0}, [2]float64{6, 3}, [2]float64{6, 3}},
		{"sum", sum, nil, [2]float64{3, -1}, [2]float64{8, 3}, [2]float64{11, 2}},
		{"sum of atomic", sum, &hierarchy.AggregateOptions{OfAtomic: true}, [2]float64{3, -1}, [2]float64{8, 3},
			[2]float64{9, 2}},
		{"twice the first", double, nil, [2]float64{2, -2}, [2]float64{4, 0}, [2]float64{4, -4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := columns(t, values("c", 6, 3), values("a", 1, -1), values("b", 2, 0), values("time", 1, 2))
			got, err := smallTrellis(t).Aggregate(table, test.by, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string][2]float64{"u": test.u, "w": test.w, "top": test.top, "time": {1, 2},
				"a": {1, -1}} {
				c, err := got.Table.Column(name)
				if err != nil {
					t.Fatal(err)
				}
				for row, x := range c.Values {
					numtest.Close(t, x, want[row], 1e-14, 1e-14)
				}
			}
		})
	}
}

func TestAggregateMissingAndConstant(t *testing.T) {
	nan := math.NaN()
	table := columns(t, values("a", 1, nan, 1), values("b", 2, 2, 2), values("c", 3, 4, 5))
	table, err := table.WithWeights([]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := smallTrellis(t).Aggregate(table, hierarchy.WeightedMean, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := got.Table.Column("u")
	top, _ := got.Table.Column("top")
	if !u.IsMissing(1) || !top.IsMissing(1) || u.Values[2] != 1.5 {
		t.Errorf("u %v, top %v", u.Values, top.Values)
	}
	if !slices.Contains(got.Notes, `composite "u" is constant: 1.5 in every row`) || len(got.Notes) != 1 {
		t.Errorf("notes %q", got.Notes)
	}
	if !slices.Equal(got.Table.Weights(), []float64{1, 2, 3}) {
		t.Errorf("weights of rows %v", got.Table.Weights())
	}
}

func TestAggregateStates(t *testing.T) {
	colour := data.Column{Var: bn.Discrete("a", "low", "middle", "high"), States: []bn.State{0, 2, bn.Missing}}
	whole := data.Column{Var: bn.Discrete("b", "1", "10"), States: []bn.State{1, 0, 0}}
	table := columns(t, colour, whole, values("c", 0, 0, 0))
	_, err := smallTrellis(t).Aggregate(table, maximum, nil)
	if !errors.Is(err, hierarchy.ErrNominal) || !strings.Contains(err.Error(), `"a" has the states low, middle, high`) {
		t.Errorf("error %v", err)
	}
	got, err := smallTrellis(t).Aggregate(table, sum, &hierarchy.AggregateOptions{Ordered: true})
	if err != nil {
		t.Fatal(err)
	}
	u, _ := got.Table.Column("u")
	if u.Values[0] != 10 || u.Values[1] != 3 || !u.IsMissing(2) {
		t.Errorf("u %v, want 0+10, 2+1, missing", u.Values)
	}
}

func TestAggregateErrors(t *testing.T) {
	good := []data.Column{values("a", 1, 2), values("b", 1, 2), values("c", 1, 2)}
	zero := map[string]float64{"a": 0, "b": 0}
	for _, test := range []struct {
		name string
		cols []data.Column
		by   func(values, weights []float64) float64
		opts *hierarchy.AggregateOptions
		is   error
		text string
	}{
		{"no column", good[:2], sum, nil, bn.ErrUnknownVariable, `"c"`},
		{"a composite is there", append(slices.Clone(good), values("u", 1, 2)), sum, nil, bn.ErrDuplicate,
			`"u"`},
		{"no aggregation", good, nil, nil, nil, "needs"},
		{"no number", good, func(_, _ []float64) float64 { return math.NaN() }, nil, nil,
			`aggregate of composite "w" in row 1 is NaN, of b = 1, c = 1`},
		{"unknown weight", good, sum, &hierarchy.AggregateOptions{Weights: map[string]float64{"x": 1}},
			bn.ErrUnknownVariable, `"x"`},
		{"negative", good, sum, &hierarchy.AggregateOptions{Weights: map[string]float64{"a": -1}},
			data.ErrWeight, `"a"`},
		{"not a number", good, sum,
			&hierarchy.AggregateOptions{Weights: map[string]float64{"a": math.NaN()}}, data.ErrWeight, `"a"`},
		{"zero", good, hierarchy.WeightedMean, &hierarchy.AggregateOptions{Weights: zero}, nil, `composite "u"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := smallTrellis(t).Aggregate(columns(t, test.cols...), test.by, test.opts)
			if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// What is below a composite by many ways counts once, and is found in no more time than there are
// variables: 60 levels of two composites each make 2⁶⁰ ways.
func TestAggregateManyWays(t *testing.T) {
	composites := []hierarchy.Composite{{Name: "l0", Of: []string{"a", "b"}}, {Name: "r0", Of: []string{"b", "a"}}}
	for i := range 60 {
		below := []string{fmt.Sprint("l", i), fmt.Sprint("r", i)}
		composites = append(composites, hierarchy.Composite{Name: fmt.Sprint("l", i+1), Of: below},
			hierarchy.Composite{Name: fmt.Sprint("r", i+1), Of: below})
	}
	h, err := hierarchy.New([]string{"a", "b"}, composites...)
	if err != nil {
		t.Fatal(err)
	}
	table := parsed(t, "a,b\n1.5,2.5\n3,4.25\n")
	got, err := h.Aggregate(table, sum, &hierarchy.AggregateOptions{OfAtomic: true})
	if err != nil {
		t.Fatal(err)
	}
	top, err := got.Table.Column("l60")
	if err != nil || !slices.Equal(top.Values, []float64{4, 7.25}) {
		t.Errorf("%v, %v", top.Values, err)
	}
}
