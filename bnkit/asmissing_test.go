package bnkit_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/knowledge"
)

// TestAsMissing: what no state stands for is missing, whatever makes states of cells, and nothing else changes.
func TestAsMissing(t *testing.T) {
	text := func(name string, cells ...string) series.Series { return series.New(cells, series.String, name) }
	ages := dataframe.New(series.New([]float64{1, 2, 8, 9}, series.Float, "age"), text("town", "a", "b", "c", "a"))
	rules := must[*data.Discretization](t)(bnkit.Discretize(ages, data.Cuts{Column: "age", Cuts: []float64{5},
		Names: []string{"young", "old"}}, data.Merge{Column: "town", Groups: []data.Group{{Name: "ab",
		States: []string{"a", "b"}}, {Name: "c", States: []string{"c"}}}}))
	cut := bnkit.ModelOf(must[*bn.Network](t)(bnkit.NewNetwork("[age][town|age]", ages,
		&bnkit.NetworkOptions{Discretization: rules})))
	cut.Discretization = rules
	k := must[*knowledge.File](t)(knowledge.Parse("flu.yaml", []byte(flu)))
	encoded := must[*bn.Network](t)(k.Network())
	for _, test := range []struct {
		m    bn.Model
		cell []string
		want string // the cells that stay
	}{
		{cut, []string{"age", "3", "100", "-7", "?", "much", "Inf", "old"}, "3 100 -7 ? old"},
		{cut, []string{"town", "a", "c", "d", "ab", "NA", "c|ab"}, "a c ab NA c|ab"},
		{encoded, []string{"temp", "39.5", "hot", "yes", "-3"}, "39.5 yes -3"},
		{encoded, []string{"cough", "2", "3", "yes"}, "2 yes"},
		{infertest.Asia(), []string{"tub", "yes", "maybe", "no|yes", "no|maybe", "", " no "}, "yes no|yes   no "},
	} {
		df := dataframe.New(text(test.cell[0], test.cell[1:]...), text("other", test.cell[1:]...))
		got := must[dataframe.DataFrame](t)(bnkit.AsMissing(test.m, df))
		var kept []string
		for row := range got.Nrow() {
			if e := got.Elem(row, 0); !e.IsNA() {
				kept = append(kept, e.String())
			}
		}
		if s := strings.Join(kept, " "); s != test.want {
			t.Errorf("%s: %q stay, want %q", test.cell[0], s, test.want)
		}
		same := text("", test.cell[1:]...).Records()
		if !reflect.DeepEqual(got.Col("other").Records(), same) ||
			!reflect.DeepEqual(df.Col(test.cell[0]).Records(), same) {
			t.Errorf("%s: another column, or the frame that was given, changed", test.cell[0])
		}
	}
	numbers := dataframe.New(series.New([]float64{3, math.Inf(1), math.NaN()}, series.Float, "age"))
	got := must[dataframe.DataFrame](t)(bnkit.AsMissing(cut, numbers))
	if got.Types()[0] != series.Float || got.Elem(0, 0).Float() != 3 || !got.Elem(1, 0).IsNA() {
		t.Errorf("numbers became %v", got)
	}
	if err := second(bnkit.Predict(cut, numbers, "town")); err == nil {
		t.Error("an infinite age is no error")
	}
	if err := second(bnkit.Predict(cut, got, "town")); err != nil {
		t.Errorf("after AsMissing: %v", err)
	}
	if _, err := bnkit.AsMissing(cut, dataframe.New()); err == nil {
		t.Error("an empty frame is no error")
	}
}

// An X-ray of a kind that the network does not know is taken as not seen.
func ExampleAsMissing() {
	patients := dataframe.New(
		series.New([]string{"yes", "blurred"}, series.String, "xray"),
		series.New([]string{"yes", "yes"}, series.String, "smoke"),
	)
	net := infertest.Asia()
	known, err := bnkit.AsMissing(net, patients)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(known.Col("xray").Records())
	whole, err := bnkit.Impute(net, known, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(whole.Col("xray").Records())
	// Output:
	// [yes NaN]
	// [yes no]
}
