package bnkit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/internal/numtest"
)

// drift is a level that moves by a standard normal step, and a noisy measurement of it.
func drift(more string, vars ...bn.Variable) (*dbn.Network, error) {
	net, err := dbn.New("[level|level[t-1]][measured|level]"+more, append(vars, bn.Continuous("level"),
		bn.Continuous("measured"))...)
	if err != nil {
		return nil, err
	}
	for v := range net.Template().Len() {
		if g := net.Template().Gaussian(v); g != nil {
			for config := range g.Weights {
				for i := range g.Weights[config] {
					g.Weights[config][i] = 1
				}
			}
			if err := net.Template().SetGaussian(g); err != nil {
				return nil, err
			}
		}
	}
	return net, nil
}

// measured are two measurements with a gap between them.
func measured() dataframe.DataFrame {
	return dataframe.New(series.New([]string{"a", "a", "a"}, series.String, "series"),
		series.New([]int{4, 5, 6}, series.Int, "time"),
		series.New([]float64{2, math.NaN(), 4}, series.Float, "measured"))
}

// TestSeriesMeans has Kalman's filter by hand. Time 4: 0 with variance 1 becomes 1 with ½. Time 5: 1 with 1½. Time 6:
// 1 with 2½ and 4 with 1 become 22/7 with 5/7. Back by the gains 1½/2½ and ½/1½: 16/7 with 6/7, 10/7 with 3/7.
func TestSeriesMeans(t *testing.T) {
	net := must[*dbn.Network](t)(drift(""))
	ahead := func(m dbn.Model, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
		return bnkit.PredictSeries(m, df, 2, targets...)
	}
	for _, test := range []struct {
		ask   func(dbn.Model, dataframe.DataFrame, ...string) (dataframe.DataFrame, error)
		first float64
		want  [][2]float64 // mean and variance
	}{
		{bnkit.FilterSeries, 4, [][2]float64{{1, 0.5}, {1, 1.5}, {22. / 7, 5. / 7}}},
		{bnkit.SmoothSeries, 4, [][2]float64{{10. / 7, 3. / 7}, {16. / 7, 6. / 7}, {22. / 7, 5. / 7}}},
		{ahead, 7, [][2]float64{{22. / 7, 12. / 7}, {22. / 7, 19. / 7}}},
	} {
		got := must[dataframe.DataFrame](t)(test.ask(net, measured(), "level"))
		if got.Nrow() != len(test.want) || got.Ncol() != 5 {
			t.Fatalf("%v", got)
		}
		for i, want := range test.want {
			numtest.Close(t, got.Col("time").Elem(i).Float(), test.first+float64(i), 0, 0)
			numtest.Close(t, got.Col("mean").Elem(i).Float(), want[0], 1e-12, 0)
			numtest.Close(t, math.Pow(got.Col("sd").Elem(i).Float(), 2), want[1], 1e-12, 0)
		}
	}
	if got := must[dataframe.DataFrame](t)(bnkit.SmoothSeries(net, measured())); got.Nrow() != 3 {
		t.Errorf("without targets %v", got) // measured has a column
	}
	if got := must[dataframe.DataFrame](t)(ahead(net, measured())); got.Nrow() != 4 {
		t.Errorf("ahead without targets %v", got)
	}
}

// TestSeriesMeansMixed: where a discrete variable is hidden it is what is asked for, and means are asked for by name.
func TestSeriesMeansMixed(t *testing.T) {
	net := must[*dbn.Network](t)(drift("[fault][extra|fault]", bn.Discrete("fault", "no", "yes"),
		bn.Continuous("extra")))
	df := measured().Mutate(series.New([]float64{0.3, 0.1, 2}, series.Float, "extra"))
	if got := must[dataframe.DataFrame](t)(bnkit.SmoothSeries(net, df)); got.Elem(0, 2).String() != "fault" {
		t.Errorf("without targets %v", got)
	}
	got := must[dataframe.DataFrame](t)(bnkit.SmoothSeries(net, df, "level"))
	for i, want := range []float64{10. / 7, 16. / 7, 22. / 7} {
		numtest.Close(t, got.Col("mean").Elem(i).Float(), want, 1e-12, 0)
	}
}

// Where is the level, and where will it be?
func ExampleSmoothSeries_continuous() {
	net, err := drift("")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ask := range []func() (dataframe.DataFrame, error){
		func() (dataframe.DataFrame, error) { return bnkit.SmoothSeries(net, measured(), "level") },
		func() (dataframe.DataFrame, error) { return bnkit.PredictSeries(net, measured(), 1, "level") },
	} {
		df, err := ask()
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range df.Nrow() {
			fmt.Printf("time %v: %.2f, sd %.2f\n", df.Col("time").Elem(i), df.Col("mean").Elem(i).Float(),
				df.Col("sd").Elem(i).Float())
		}
	}
	// Output:
	// time 4: 1.43, sd 0.65
	// time 5: 2.29, sd 0.93
	// time 6: 3.14, sd 0.85
	// time 7: 3.14, sd 1.31
}
