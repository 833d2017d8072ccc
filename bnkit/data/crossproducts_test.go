package data_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/numtest"
)

// mixed is a network of one continuous variable with a discrete and two continuous
// parents, and rows for it.
func mixed(t testing.TB, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[arm][dose][age][effect|dose:arm:age]",
		bn.Discrete("arm", "placebo", "drug", "both"), bn.Continuous("dose"), bn.Continuous("age"),
		bn.Continuous("effect"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(net, rows, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// squares multiplies a factor out: R'R.
func squares(f data.Factor) []float64 {
	k := int(math.Sqrt(float64(len(f.R))))
	out := make([]float64, k*k)
	for i := range k {
		for j := range k {
			for l := range k {
				out[i*k+j] += f.R[l*k+i] * f.R[l*k+j]
			}
		}
	}
	return out
}

func TestCrossproducts(t *testing.T) {
	net, table := mixed(t, 200)
	weights := make([]float64, 200)
	for row := range weights {
		weights[row] = float64(row%4) / 2
	}
	for name, w := range map[string][]float64{"plain": nil, "weighted": weights} {
		t.Run(name, func(t *testing.T) {
			weighted, err := table.WithWeights(w)
			if err != nil {
				t.Fatal(err)
			}
			m, err := weighted.Crossproducts(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			if m.Factors[0] != nil || m.Rows != weighted.TotalWeight() {
				t.Errorf("factors %v of a discrete variable, %v rows", m.Factors[0], m.Rows)
			}
			cols := table.Columns()
			for config := range 3 {
				want, n := make([]float64, 16), 0.0
				for row := range 200 {
					if int(cols[0].States[row]) != config {
						continue
					}
					weight := 1.0
					if w != nil {
						weight = w[row]
					}
					z := []float64{1, cols[1].Values[row], cols[2].Values[row], cols[3].Values[row]}
					for i := range z {
						for j := range z {
							want[i*4+j] += weight * z[i] * z[j]
						}
					}
					n += weight
				}
				f := m.Factors[3][config]
				numtest.Close(t, f.N, n, 0, 0)
				for i, x := range squares(f) {
					numtest.Close(t, x, want[i], 1e-12, 1e-12)
				}
				for i := range 4 {
					if f.R[i*4+i] < 0 || i > 0 && f.R[i*4+i-1] != 0 {
						t.Errorf("not a triangle with a positive diagonal: %v", f.R)
					}
				}
			}
		})
	}
}

func TestCrossproductsDoNotDependOnWorkers(t *testing.T) {
	net, table := mixed(t, 3*4096+17)
	one, err := table.Crossproducts(net, &data.CountOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	many, err := table.Crossproducts(net, &data.CountOptions{Workers: 7})
	if err != nil {
		t.Fatal(err)
	}
	whole := one.Factors[3][0].Merge(one.Factors[3][1]).Merge(one.Factors[3][2])
	if whole.N != 3*4096+17 || math.Abs(whole.R[0]*whole.R[0]-whole.N) > 1e-8 {
		t.Errorf("merged over configurations: %v", whole)
	}
	for v := range net.Len() {
		for config, f := range one.Factors[v] {
			if !slices.Equal(f.R, many.Factors[v][config].R) {
				t.Errorf("variable %d, configuration %d: %v with one worker, %v with seven", v, config, f.R,
					many.Factors[v][config].R)
			}
		}
	}
}

// Far from zero the squares of the values swallow their differences: with y = 1e9 + row/8 the
// sum of squares about the mean is known exactly, (n³−n)/12 / 64. The rest of 4e4 is left of a
// norm of 1e11, so that it has 9 digits; sums of squares, of 1e22, would leave it 3.
func TestCrossproductsAccuracy(t *testing.T) {
	net, err := bn.New("[y]", bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	const n = 10000
	y := make([]float64, n)
	for row := range y {
		y[row] = 1e9 + float64(row)/8
	}
	table, err := data.New(data.Column{Var: net.Variable(0), Values: y})
	if err != nil {
		t.Fatal(err)
	}
	m, err := table.Crossproducts(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := new(big.Rat).SetFrac64(int64(n)*(int64(n)*n-1), 12*64).Float64()
	rest := m.Factors[0][0].R[3]
	numtest.Close(t, rest*rest, want, 0, 1e-8)
}

func TestCrossproductsErrors(t *testing.T) {
	net, table := mixed(t, 5)
	cols := table.Columns()
	with := func(i int, c data.Column) *data.Table {
		list := slices.Clone(cols)
		list[i] = c
		other, err := data.New(list...)
		if err != nil {
			t.Fatal(err)
		}
		return other
	}
	hole := slices.Clone(cols[2].Values)
	hole[3] = math.NaN()
	holed := with(2, data.Column{Var: cols[2].Var, Values: hole})
	var where *data.ValueError
	if _, err := holed.Crossproducts(net, nil); !errors.As(err, &where) || where.Row != 4 ||
		where.Name != "age" || !errors.Is(err, data.ErrMissing) {
		t.Errorf("a missing cell: %v, want an error that names row 4 and column age", err)
	}
	m, err := holed.Crossproducts(net, &data.CountOptions{SkipMissing: true})
	if err != nil || !slices.Equal(m.Skipped, []float64{0, 0, 1, 1}) || m.Factors[2][0].N != 4 {
		t.Errorf("skipping: %+v, %v", m, err)
	}
	for name, test := range map[string]struct {
		table *data.Table
		says  string
	}{
		"a column of states": {with(1, data.Column{Var: bn.Discrete("dose", "a"), States: make([]bn.State, 5)}),
			`column "dose" holds states`},
		"a strange state": {with(0, data.Column{Var: bn.Discrete("arm", "sham"), States: make([]bn.State, 5)}),
			`column "arm", value "sham"`},
		"no column": {with(1, data.Column{Var: bn.Continuous("dosis"), Values: make([]float64, 5)}),
			`no column "dose"`},
		"huge values": {with(3, data.Column{Var: bn.Continuous("effect"),
			Values: []float64{1e308, 1e308, 1e308, 1e308, 1e308}}), `"effect"`},
	} {
		if _, err := test.table.Crossproducts(net, nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.says)
		}
	}
}

func ExampleTable_Crossproducts() {
	net, err := bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := data.New(
		data.Column{Var: net.Variable(0), Values: []float64{-1, 0, 0, 1}},
		data.Column{Var: net.Variable(1), Values: []float64{1, 3, 5, 7}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := table.Crossproducts(net, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := m.Factors[1][0] // y = 4 + 3x, and a sum of squares of 2 that is left
	fmt.Printf("%.3f\n%.3f\n%.3f\n", f.R[0:3], f.R[3:6], f.R[6:9])
	// Output:
	// [2.000 0.000 8.000]
	// [0.000 1.414 4.243]
	// [0.000 0.000 1.414]
}

func BenchmarkCrossproducts(b *testing.B) {
	for _, rows := range []int{1000, 100000} {
		net, table := mixed(b, rows)
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := table.Crossproducts(net, &data.CountOptions{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
