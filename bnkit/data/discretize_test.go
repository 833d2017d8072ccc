package data_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

var nan = math.NaN()

func TestDiscretizers(t *testing.T) {
	x := must(t, continuous("x", 1, 2, 3, 4, 5, 6, 7, nan))
	ties := must(t, continuous("x", 0, 0, 0, 0, 0, 0, 5, 9))
	grade := must(t, data.Column{Var: bn.Discrete("x", "high", "low", "mid"), States: []bn.State{1, 0, 2, m}})
	codes := must(t, data.Column{Var: bn.Discrete("x", "1", "2", "10"), States: []bn.State{0, 1, 2, m}})
	for _, test := range []struct {
		name  string
		d     data.Discretizer
		train *data.Table
		want  string // states, notes and the training rows' states
	}{
		{"cuts", data.Cuts{Column: "x", Cuts: []float64{2, 5}}, x, "x {<=2, 2..5, >5} [] [0 0 1 1 1 2 2 65535]"},
		{"left closed", data.Cuts{Column: "x", Cuts: []float64{2, 5}, LeftClosed: true}, x,
			"x {<2, 2..5, >=5} [] [0 1 1 1 2 2 2 65535]"},
		{"names", data.Cuts{Column: "x", Cuts: []float64{9}, Names: []string{"low", "high"}}, x,
			`x {low, high} [column "x": no training row has the state "high"] [0 0 0 0 0 0 0 65535]`},
		{"cuts of states", data.Cuts{Column: "x", Cuts: []float64{2}}, codes, "x {<=2, >2} [] [0 0 1 65535]"},
		// Type 7 thirds of 1..7: positions 2 and 4.
		{"quantiles", data.Quantiles{Column: "x", Bins: 3}, x, "x {<=3, 3..5, >5} [] [0 0 0 1 1 2 2 65535]"},
		{"quantiles with ties", data.Quantiles{Column: "x", Bins: 4}, ties,
			`x {<=0, >0} [column "x": 2 bins instead of 4, because of many equal values] [0 0 0 0 0 0 1 1]`},
		// Position 10/3 is between 1 and 9, so the cut there would leave nothing between it and the one at 1.
		{"quantiles with a gap", data.Quantiles{Column: "x", Bins: 3}, must(t, continuous("x", 0, 1, 1, 1, 9, 9)),
			`x {<=1, >1} [column "x": 2 bins instead of 3, because of many equal values] [0 0 0 0 1 1]`},
		{"quantiles below a majority", data.Quantiles{Column: "x", Bins: 4}, must(t, continuous("x", 0, 1, 9, 9, 9, 9)),
			`x {<=3, >3} [column "x": 2 bins instead of 4, because of many equal values; LeftClosed cuts 9 off as a bin of its own] [0 0 1 1 1 1]`},
		{"quantiles of a majority", data.Quantiles{Column: "x", Bins: 2, LeftClosed: true},
			must(t, continuous("x", 0, 1, 9, 9, 9, 9)), "x {<9, >=9} [] [0 0 1 1 1 1]"},
		{"equal width", data.EqualWidth{Column: "x", Bins: 3, Names: []string{"l", "m", "h"}}, x,
			"x {l, m, h} [] [0 0 0 1 1 2 2 65535]"},
		{"order", data.Order{Column: "x", States: []string{"low", "mid", "high", "top"}}, grade,
			`x {low, mid, high, top} [column "x": no training row has the state "top"] [0 2 1 65535]`},
		{"order of numbers", data.Order{Column: "x", States: []string{"7", "6", "5", "4", "3", "2", "1"}}, x,
			"x {7, 6, 5, 4, 3, 2, 1} [] [6 5 4 3 2 1 0 65535]"},
		{"merge", data.Merge{Column: "x", Groups: []data.Group{{"no", []string{"low"}},
			{"yes", []string{"mid", "high"}}}}, grade, "x {no, yes} [] [0 1 1 65535]"},
		{"steps", data.Steps{data.Cuts{Column: "x", Cuts: []float64{2, 5}},
			data.Merge{Column: "x", Groups: []data.Group{{"in", []string{"2..5"}}, {"out", []string{"<=2", ">5"}}}}}, x,
			"x {in, out} [] [1 1 0 0 0 1 1 65535]"},
		{"no steps", data.Steps{}, codes, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := test.d.Fit(test.train)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				return
			}
			got, err := d.Apply(test.train)
			if err != nil {
				t.Fatal(err)
			}
			c := got.Columns()[0]
			if s := fmt.Sprint(c.Var, d.Notes, c.States); s != test.want {
				t.Errorf("got  %s\nwant %s", s, test.want)
			}
			if v := d.Variables(); len(v) != 1 || !v[0].Equal(c.Var) {
				t.Errorf("Variables = %v, want %v", v, c.Var)
			}
		})
	}
}

// What was learned from the training rows holds for others: those outside the
// range go to the end bins, missing cells stay missing.
// TestDiscretizersOfExtremes cuts columns whose range is no number, or whose cuts round up to
// none, and weights that are no rows.
func TestDiscretizersOfExtremes(t *testing.T) {
	const most = math.MaxFloat64
	wide := must(t, continuous("x", -most, -most, most, most))
	tiny := must(t, continuous("x", 0, 5e-324, 1e-323))
	for _, test := range []struct {
		d     data.Discretizer
		train *data.Table
		want  string // states and the training rows' states
	}{
		{data.Quantiles{Column: "x", Bins: 2}, wide, "x {<=0, >0} [0 0 1 1]"},
		{data.EqualWidth{Column: "x", Bins: 2}, wide, "x {<=0, >0} [0 0 1 1]"},
		{data.Quantiles{Column: "x", Bins: 2}, tiny, "x {<=5e-324, >5e-324} [0 0 1]"},
		{data.Cuts{Column: "x", Cuts: []float64{math.Copysign(0, -1), most}}, wide,
			"x {<=0, 0..1.7976931348623157e+308, >1.7976931348623157e+308} [0 0 1 1]"},
	} {
		d, err := test.d.Fit(test.train)
		if err != nil {
			t.Errorf("%+v: %v", test.d, err)
			continue
		}
		got, err := d.Apply(test.train)
		if err != nil {
			t.Fatal(err)
		}
		if c := got.Columns()[0]; fmt.Sprint(c.Var, c.States) != test.want {
			t.Errorf("%+v: got %v %v, want %s", test.d, c.Var, c.States, test.want)
		}
	}
	train, err := must(t, continuous("x", 1, 2, 3, 4)).WithWeights([]float64{0.25, 0.25, 0.25, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := (data.Quantiles{Column: "x", Bins: 2}).Fit(train); err == nil ||
		!strings.Contains(err.Error(), "weights") {
		t.Errorf("weights of 1/4: %v, %v", d, err)
	}
}

func TestApplyToNewRows(t *testing.T) {
	d, err := data.Quantiles{Column: "x", Bins: 2}.Fit(must(t, continuous("x", 1, 2, 3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := must(t, continuous("x", -1e300, 1e300, nan, 2.5), discrete("y", 0, 0, 1, 2)).WithWeights([]float64{1,
		2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Apply(rows)
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Columns()[0].States, got.Columns()[1].States,
		got.Weights()); s != "[0 1 65535 0] [0 0 1 2] [1 2 3 4]" {
		t.Errorf("Apply = %s", s)
	}
}

func TestDiscretizeErrors(t *testing.T) {
	x := must(t, continuous("x", 1, 1, nan), discrete("y", 0, 1, m), continuous("gone", nan, nan, nan),
		continuous("z", 1, 5, 9), continuous("top", 2, 9, 9), continuous("low", 2, 2, 9))
	for _, test := range []struct {
		name string
		d    data.Discretizer
		is   error
		want string
	}{
		{"unknown column", data.Cuts{Column: "q", Cuts: []float64{1}}, bn.ErrUnknownVariable,
			`"q" (there are: x, y, gone, z, top, low)`},
		{"no cuts", data.Cuts{Column: "x"}, nil, `column "x": no cut points`},
		{"descending", data.Cuts{Column: "x", Cuts: []float64{2, 1}}, nil, "[2 1] are not ascending"},
		{"twice", data.Cuts{Column: "x", Cuts: []float64{2, 2}}, nil, "not ascending"},
		{"NaN cut", data.Cuts{Column: "x", Cuts: []float64{1, nan}}, data.ErrNumber, "cut point 2 is NaN"},
		{"names", data.Cuts{Column: "x", Cuts: []float64{1}, Names: []string{"a"}}, nil,
			"1 cut points make 2 bins, there are 1 names"},
		{"same names", data.Cuts{Column: "x", Cuts: []float64{1}, Names: []string{"a", "a"}}, bn.ErrDuplicate,
			`the state "a" twice`},
		{"words", data.Cuts{Column: "y", Cuts: []float64{1}}, data.ErrNumber,
			`row 1, column "y", value "a": not a finite number, and the column is to be cut at numbers`},
		{"constant", data.Quantiles{Column: "x", Bins: 2}, data.ErrConstant,
			`column "x" cannot be cut: only one value, 1, in the training rows`},
		{"majority at the maximum", data.Quantiles{Column: "top", Bins: 2}, nil, `column "top" cannot be cut into 2 bins: ` +
			"all cut points fell on the end of the training values; LeftClosed cuts 9 off as a bin of its own"},
		{"majority at the minimum", data.Quantiles{Column: "low", Bins: 2, LeftClosed: true}, nil,
			"without LeftClosed 2 is a bin of its own"},
		{"constant width", data.EqualWidth{Column: "x", Bins: 2}, data.ErrConstant, "only one value, 1"},
		{"all missing", data.Quantiles{Column: "gone", Bins: 2}, data.ErrNoRows,
			`column "gone" cannot be cut: no value in 3 training rows`},
		{"one bin", data.EqualWidth{Column: "z", Bins: 1}, nil, "1 bins, at least 2"},
		{"many bins", data.EqualWidth{Column: "z", Bins: 1 << 20}, nil, "at most 65535"},
		{"names of bins", data.EqualWidth{Column: "z", Bins: 2, Names: []string{"a", "b", "c"}}, nil,
			"1 cut points make 2 bins, there are 3 names"},
		{"order misses", data.Order{Column: "y", States: []string{"a"}}, bn.ErrUnknownState,
			`row 2, column "y", value "b"`},
		{"order twice", data.Order{Column: "y", States: []string{"a", "a"}}, bn.ErrDuplicate, "twice"},
		{"merge twice", data.Merge{Column: "y", Groups: []data.Group{{"p", []string{"a"}}, {"q", []string{"a", "b"}}}},
			bn.ErrDuplicate, `state "a" appears twice`},
		{"merge nothing", data.Merge{Column: "y"}, nil, "has no states"},
		{"step", data.Steps{data.Cuts{Column: "z", Cuts: []float64{2}}, data.Cuts{Column: "z", Cuts: []float64{2}}},
			data.ErrNumber, `value "<=2"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.d.Fit(x)
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("Fit = %v, want %q that wraps %v", err, test.want, test.is)
			}
		})
	}
}

func TestDiscretizationJSON(t *testing.T) {
	train := must(t, continuous("x", 0.1, 0.2, 0.7, 1e-9), discrete("y", 0, 1, 1, 2))
	d, err := data.Steps{
		data.Quantiles{Column: "x", Bins: 3, LeftClosed: true},
		data.Order{Column: "y", States: []string{"c", "b", "a", "d"}},
	}.Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back data.Discretization
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%#v", *d) != fmt.Sprintf("%#v", back) {
		t.Errorf("read back\n%#v\nwrote\n%#v", back, *d)
	}
	for _, bad := range []string{
		`{"columns":[{"column":"x","states":["a","b"]}]}`,
		`{"columns":[{"column":"x","states":["a","b"],"cuts":[1,2]}]}`,
		`{"columns":[{"column":"x","states":["a","b","c"],"cuts":[2,1]}]}`,
		`{"columns":[{"column":"","states":["a","b"],"cuts":[2]}]}`,
		`{"columns":[{"column":"x","cuts":[2]}]}`,
		`{"columns":[{"column":"x","states":["a","b"],"from":[["p"]]}]}`,
		`{"columns":[{"column":"x","states":["a","b"],"from":[["p"],["p"]]}]}`,
		`{"columns":7}`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// Whatever the training values: bins are ordered as the values are, and applying
// the fit to one row at a time gives what applying it to all gives. Weights act
// as repeated rows.
func TestDiscretizerLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-5, 5),
			rapid.Map(rapid.IntRange(0, 3), func(i int) float64 { return float64(i) }), rapid.Just(nan)), 1, 40).Draw(t,
			"values")
		bins := rapid.IntRange(2, 6).Draw(t, "bins")
		left := rapid.Bool().Draw(t, "left")
		train, err := data.New(continuous("x", values...))
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range []data.Discretizer{data.Quantiles{Column: "x", Bins: bins, LeftClosed: left},
			data.EqualWidth{Column: "x", Bins: bins, LeftClosed: left}} {
			d, err := z.Fit(train)
			condensed, condensedErr := z.Fit(train.Distinct())
			if fmt.Sprint(err) != fmt.Sprint(condensedErr) && !errors.Is(err, data.ErrNoRows) {
				t.Fatalf("%v, of the distinct rows %v", err, condensedErr)
			}
			if err != nil {
				continue
			}
			if fmt.Sprint(d) != fmt.Sprint(condensed) {
				t.Fatalf("%v, of the distinct rows %v", d, condensed)
			}
			got, err := d.Apply(train)
			if err != nil {
				t.Fatal(err)
			}
			states := got.Columns()[0].States
			low, high := false, false
			for i, x := range values {
				low = low || states[i] == 0
				high = high || int(states[i]) == len(d.Columns[0].States)-1
				for j, y := range values {
					if x < y && states[i] > states[j] || x == y && states[i] != states[j] {
						t.Fatalf("%v is in bin %d, %v in %d", x, states[i], y, states[j])
					}
				}
				one, err := d.Apply(train.Select([]int{i}))
				if err != nil || one.Columns()[0].States[0] != states[i] || (states[i] == m) != math.IsNaN(x) {
					t.Fatalf("row %d alone is in bin %v, with the others in %v", i, one.Columns()[0].States, states[i])
				}
			}
			if _, is := z.(data.Quantiles); is && strings.Contains(fmt.Sprint(d.Notes), "no training row") {
				t.Fatalf("%v: %v", d.Columns[0], d.Notes)
			}
			if !low || !high {
				t.Fatalf("an end bin of %v is empty", d.Columns[0])
			}
		}
	})
}

func TestQuantilesOfManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	values := make([]float64, 10_001)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	table := must(t, continuous("x", values...))
	d, err := data.Quantiles{Column: "x", Bins: 4}.Fit(table)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Apply(table)
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := countFamily(got, "x")
	if err != nil || fmt.Sprint(n) != "[2501 2500 2500 2500]" {
		t.Errorf("rows in the bins: %v, %v", n, err)
	}
}
