package data_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/numtest"
)

// By hand: two rows of "drug" about (2, 5), three of "placebo" about (1, 1), the last of weight 2.
func TestProducts(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("arm", "both", "drug", "placebo"), States: []bn.State{1, 2, 1, 2}},
		data.Column{Var: bn.Continuous("dose"), Values: []float64{1, 3, 3, 0}},
		data.Column{Var: bn.Continuous("effect"), Values: []float64{4, -1, 6, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights([]float64{1, 1, 1, 2}); err != nil {
		t.Fatal(err)
	}
	got, err := table.Products(t.Context(), []string{"dose", "effect"}, []string{"arm"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []data.Products{
		{Config: 1, N: 2, Mean: []float64{2, 5}, Centred: []float64{2, 2, 2, 2}},
		{Config: 2, N: 3, Mean: []float64{1, 1}, Centred: []float64{6, -6, -6, 6}},
	}
	if len(got) != len(want) {
		t.Fatalf("%d configurations, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Config != want[i].Config {
			t.Errorf("configuration %d, want %d", got[i].Config, want[i].Config)
		}
		for j, x := range append(append([]float64{want[i].N}, want[i].Mean...), want[i].Centred...) {
			numtest.Close(t, append(append([]float64{got[i].N}, got[i].Mean...), got[i].Centred...)[j], x, 1e-14, 0)
		}
	}
}

// Against the factors of Crossproducts, over several tasks, and equal for all numbers of workers.
func TestProductsByFactors(t *testing.T) {
	net, table := mixed(t, 3000)
	net, err := bn.New("[dose][age|dose][effect|dose:age]", net.Variable(1), net.Variable(2), net.Variable(3))
	if err != nil {
		t.Fatal(err)
	}
	m, err := table.Crossproducts(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"dose", "age", "effect"}
	got, err := table.Products(t.Context(), names, nil, &data.CountOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range squares(m.Factors[2][0]) {
		u, v := i/4-1, i%4-1
		if u < 0 || v < 0 {
			continue
		}
		numtest.Close(t, got[0].Centred[u*3+v]+got[0].N*got[0].Mean[u]*got[0].Mean[v], x, 0, 1e-12)
	}
	again, err := table.Products(t.Context(), names, nil, &data.CountOptions{Workers: 5})
	if err != nil || !slices.Equal(again[0].Centred, got[0].Centred) {
		t.Errorf("five workers: %v, %v, want %v", again, err, got)
	}
}

func TestProductsErrors(t *testing.T) {
	_, table := mixed(t, 5)
	holed := table.Columns()
	holed[2].Values = slices.Clone(holed[2].Values)
	holed[2].Values[3] = math.NaN()
	hole, err := data.New(holed...)
	if err != nil {
		t.Fatal(err)
	}
	var where *data.ValueError
	_, err = hole.Products(t.Context(), []string{"dose", "age"}, nil, nil)
	if !errors.As(err, &where) || where.Row != 4 {
		t.Errorf("a missing cell: %v", err)
	}
	got, err := hole.Products(t.Context(), []string{"dose", "age"}, nil, &data.CountOptions{SkipMissing: true})
	if err != nil || got[0].N != 4 {
		t.Errorf("skipping: %v, %v", got, err)
	}
	for says, ask := range map[string][2][]string{
		`"arm" holds states`:      {{"arm"}, nil},
		`"dose" holds numbers`:    {{"age"}, {"dose"}},
		`no column "temperature"`: {{"temperature"}, nil},
	} {
		_, err := table.Products(t.Context(), ask[0], ask[1], nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
