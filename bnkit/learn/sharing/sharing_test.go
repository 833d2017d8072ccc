package sharing_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

func names(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i)
	}
	return list
}

// single is a network of one variable X with the given counts.
func single(t testing.TB, n ...float64) (*bn.Network, *data.Counts) {
	t.Helper()
	net, err := bn.New("[X]", bn.Discrete("X", names("x", len(n))...))
	if err != nil {
		t.Fatal(err)
	}
	return net, &data.Counts{Layout: net.Layout(), N: n, Skipped: make([]float64, 1)}
}

// pair is a network Z → X with the given counts of X by the states of Z.
func pair(t testing.TB, rows ...[]float64) (*bn.Network, *data.Counts) {
	t.Helper()
	net, err := bn.New("[Z][X|Z]", bn.Discrete("Z", names("z", len(rows))...),
		bn.Discrete("X", names("x", len(rows[0]))...))
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, len(rows))
	for i, row := range rows {
		for _, x := range row {
			n[i] += x
		}
	}
	return net, &data.Counts{Layout: net.Layout(), N: slices.Concat(n, slices.Concat(rows...)),
		Skipped: make([]float64, 2)}
}

// multinomial draws so many cases.
func multinomial(rng *rand.Rand, cases int, p []float64) []float64 {
	n := make([]float64, len(p))
	for range cases {
		u, i := rng.Float64(), 0
		for i < len(p)-1 && u >= p[i] {
			u -= p[i]
			i++
		}
		n[i]++
	}
	return n
}

func sentences(statements []constraint.Constraint) []string {
	var list []string
	for _, s := range statements {
		list = append(list, s.String())
	}
	return list
}

func sameClasses(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }

// Hand arithmetic. Two states seen 2 and 1 times: apart the cases have the probability
// 1/2·2/3·1/4 = 1/12 under the uniform prior, alike 1/8.
func TestGroupStatesByHand(t *testing.T) {
	net, counts := single(t, 2, 1)
	g, err := sharing.GroupStates(t.Context(), net, counts, "X", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, g.Separate, -math.Log(12), 1e-14, 0)
	numtest.Close(t, g.LogMarginal, -math.Log(8), 1e-14, 0)
	numtest.Close(t, g.LogBayesFactor(), math.Log(1.5), 1e-14, 0)
	if want := []string{"P(X=x0) = P(X=x1)"}; !slices.Equal(sentences(g.Statements), want) {
		t.Errorf("statements %q, want %q", g.Statements, want)
	}
	if want := "2 states of X: 1 group, log Bayes factor 0.41"; g.String() != want {
		t.Errorf("%q, want %q", g, want)
	}
}

// Two configurations with the counts 2 and 0 of X: apart 1/2·2/3 each, so 1/9; as one
// 1/2·2/3·3/4·4/5 = 1/5. With 2, 0 and 0, 2: 1/2·2/3·1/4·2/5 = 1/30 as one.
func TestGroupRowsByHand(t *testing.T) {
	net, counts := pair(t, []float64{2, 0}, []float64{2, 0})
	g, err := sharing.GroupRows(t.Context(), net, counts, "X", nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, g.Separate, -math.Log(9), 1e-14, 0)
	numtest.Close(t, g.LogMarginal, -math.Log(5), 1e-14, 0)
	if want := []string{"the distribution of X is the same whatever its parents"}; !slices.Equal(
		sentences(g.Statements), want) {
		t.Errorf("statements %q, want %q", g.Statements, want)
	}
	net, counts = pair(t, []float64{2, 0}, []float64{0, 2})
	if g, err = sharing.GroupRows(t.Context(), net, counts, "X", nil); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, g.Path[0].LogMarginal, -math.Log(30), 1e-14, 0)
	if g.Statements != nil || g.LogBayesFactor() != 0 {
		t.Errorf("shared %v with log Bayes factor %v", g.Statements, g.LogBayesFactor())
	}
	if want := "2 distributions of X: nothing is shared"; g.String() != want {
		t.Errorf("%q, want %q", g, want)
	}
}

// The restricted prior of two equal rows is the square of one row's density. With
// α = 3/2 and a case of each kind in each row: as one, Dirichlet(2, 2) gives
// 2/4·3/5·2/6·3/7 = 3/70; apart, Dirichlet(3/2, 3/2) gives (1/2·3/8)².
func TestGroupRowsRestricted(t *testing.T) {
	net, counts := pair(t, []float64{1, 1}, []float64{1, 1})
	g, err := sharing.GroupRows(t.Context(), net, counts, "X", &sharing.Settings{Alpha: 1.5, Restrict: true})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, g.LogMarginal, math.Log(3.0/70), 1e-14, 0)
	numtest.Close(t, g.Separate, math.Log(9.0/256), 1e-14, 0)
}

// With no more than nothing to say the Bayes factor is 1 exactly, whatever the counts.
func TestGroupNothing(t *testing.T) {
	for _, g := range []*sharing.Settings{nil, {Alpha: 0.1}, {Alpha: 3, Restrict: true},
		{CrossValidate: true, Seed: 1}} {
		for _, n := range [][]float64{{7}, {0}, {0, 0, 0}, {100, 500, 900}} {
			net, counts := single(t, n...)
			states, err := sharing.GroupStates(t.Context(), net, counts, "X", nil, g)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := sharing.GroupRows(t.Context(), net, counts, "X", g)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range []*sharing.Groups{states, rows} {
				if found.Statements != nil || found.LogBayesFactor() != 0 || len(found.Classes) != len(found.Path) {
					t.Errorf("%+v, counts %v: %v %v", g, n, found, found.Statements)
				}
			}
			statements, logBF, err := sharing.GroupAll(t.Context(), net, counts, g)
			if err != nil || statements != nil || logBF != 0 {
				t.Errorf("%+v, counts %v: %v, log Bayes factor %v, error %v", g, n, statements, logBF, err)
			}
		}
	}
	// One case is as probable under every grouping, up to rounding.
	for k := 2; k < 40; k++ {
		for _, alpha := range []float64{0.3, 1, 7} {
			n := make([]float64, k)
			n[k/2] = 1
			net, counts := single(t, n...)
			g, err := sharing.GroupStates(t.Context(), net, counts, "X", nil, &sharing.Settings{Alpha: alpha})
			if err != nil {
				t.Fatal(err)
			}
			if g.Statements != nil {
				t.Errorf("one case and α = %v: %v", alpha, g)
			}
		}
	}
	// Configurations never seen stay apart from the seen and from each other.
	net, counts := pair(t, []float64{0, 0}, []float64{90, 10}, []float64{0, 0}, []float64{90, 10})
	g, err := sharing.GroupRows(t.Context(), net, counts, "X", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]int{{0}, {1, 3}, {2}}; !sameClasses(g.Classes, want) {
		t.Errorf("classes %v, want %v", g.Classes, want)
	}
}

func TestGroupPermuted(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 20 {
		r, c := 2+rng.IntN(5), 2+rng.IntN(5)
		rows := make([][]float64, c)
		for i := range rows {
			rows[i] = make([]float64, r)
			for j := range rows[i] {
				rows[i][j] = float64(i*r+j) + float64(rng.IntN(3)*50) // no two equal
			}
		}
		sigma, tau := rng.Perm(c), rng.Perm(r) // new places hold old rows and states
		moved := make([][]float64, c)
		for i := range moved {
			moved[i] = make([]float64, r)
			for j := range moved[i] {
				moved[i][j] = rows[sigma[i]][tau[j]]
			}
		}
		back := func(classes [][]int, place []int) [][]int {
			out := make([][]int, len(classes))
			for i, class := range classes {
				for _, at := range class {
					out[i] = append(out[i], place[at])
				}
				slices.Sort(out[i])
			}
			slices.SortFunc(out, slices.Compare)
			return out
		}
		net, counts := pair(t, rows...)
		_, movedCounts := pair(t, moved...)
		a, err := sharing.GroupRows(t.Context(), net, counts, "X", nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := sharing.GroupRows(t.Context(), net, movedCounts, "X", nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, b.LogMarginal, a.LogMarginal, 1e-9, 0)
		if got := back(b.Classes, sigma); !sameClasses(got, a.Classes) {
			t.Errorf("rows %v: %v, permuted %v", rows, a.Classes, got)
		}
		a, err = sharing.GroupStates(t.Context(), net, counts, "X", bn.Given{"Z": fmt.Sprint("z", sigma[0])}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err = sharing.GroupStates(t.Context(), net, movedCounts, "X", bn.Given{"Z": "z0"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, b.LogMarginal, a.LogMarginal, 1e-9, 0)
		if got := back(b.Classes, tau); !sameClasses(got, a.Classes) {
			t.Errorf("states %v: %v, permuted %v", rows[sigma[0]], a.Classes, got)
		}
	}
}

// With many cases the true grouping is found.
func TestGroupRecovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	p := []float64{0.05, 0.1, 0.2, 0.05, 0.1, 0.05, 0.05, 0.1, 0.2, 0.1}
	truth := []int{0, 1, 2, 0, 1, 0, 0, 1, 2, 1}
	net, counts := single(t, multinomial(rng, 100_000, p)...)
	states, err := sharing.GroupStates(t.Context(), net, counts, "X", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := metric.AdjustedRandIndex(states.Labels(), truth); r != 1 {
		t.Errorf("states: %v, adjusted Rand index %v", states.Classes, r)
	}
	kinds := [][]float64{{0.6, 0.3, 0.1}, {0.3, 0.3, 0.4}, {0.1, 0.8, 0.1}}
	rows, truth := make([][]float64, 30), make([]int, 30)
	for i := range rows {
		truth[i] = (7*i + i/4) % 3
		rows[i] = multinomial(rng, 500, kinds[truth[i]])
	}
	net, counts = pair(t, rows...)
	for _, g := range []*sharing.Settings{nil, {CrossValidate: true, Seed: 4}} {
		found, err := sharing.GroupRows(t.Context(), net, counts, "X", g)
		if err != nil {
			t.Fatal(err)
		}
		r := metric.AdjustedRandIndex(found.Labels(), truth)
		if g == nil && r != 1 || r < 0.9 { // cross-validation tends to keep a group too many
			t.Errorf("rows, %+v: %v, adjusted Rand index %v", g, found.Classes, r)
		}
	}
}

// Statements compile, hold in a fit, and say the context when there is one.
func TestGroupAll(t *testing.T) {
	net, err := bn.New("[Y][Z][X|Y:Z]", bn.Discrete("Y", "y0", "y1", "y2"), bn.Discrete("Z", "z0", "z1"),
		bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	counts := &data.Counts{Layout: net.Layout(), Skipped: make([]float64, 3), N: []float64{
		200, 1500, 3000, // Y
		2300, 2400, // Z
		15, 60, 25, 16, 58, 26, // X in y0: the same for both z
		300, 300, 150, 720, 15, 15, // y1: two alike with z0, two with z1
		750, 375, 375, 300, 600, 600, // y2: b and c alike with z0, and with z1
	}}
	statements, logBF, err := sharing.GroupAll(t.Context(), net, counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"P(Z=z0) = P(Z=z1)",
		"the distribution of X is the same wherever Y=y0, whatever the other parents",
		"P(X=a) = P(X=b) given Y=y1, Z=z0",
		"P(X=b) = P(X=c) given Y=y1, Z=z1",
		"P(X=b) = P(X=c) given Y=y2, Z=z0",
		"P(X=b) = P(X=c) given Y=y2, Z=z1",
	}
	if got := sentences(statements); !slices.Equal(got, want) {
		t.Errorf("statements\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The gains of what is found one by one add up.
	z, err := sharing.GroupStates(t.Context(), net, counts, "Z", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := sharing.GroupRows(t.Context(), net, counts, "X", nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := z.LogBayesFactor() + rows.LogBayesFactor()
	for _, given := range []bn.Given{{"Y": "y1", "Z": "z0"}, {"Y": "y1", "Z": "z1"}, {"Y": "y2", "Z": "z0"},
		{"Y": "y2", "Z": "z1"}} {
		x, err := sharing.GroupStates(t.Context(), net, counts, "X", given, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum += x.LogBayesFactor()
	}
	numtest.Close(t, logBF, sum, 1e-10, 0)
	compiled, err := learn.Compile(net, learn.MAP{Constraints: statements})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := fit.Net.CPT(2)
	for j, n := range []float64{31, 118, 51} {
		numtest.Close(t, x.Row(0)[j], n/200, 1e-14, 0)
		numtest.Close(t, x.Row(1)[j], n/200, 1e-14, 0)
	}
}

// Equal distributions with states that are alike in them give one statement of both. In
// the restricted density of α = 2 the cells' exponents of 1 add up, so x0 and x1 in two
// rows have the Dirichlet count 5 and x2 has 3.
func TestGroupAllWithinAndAcross(t *testing.T) {
	net, counts := pair(t, []float64{40, 41, 120}, []float64{900, 20, 100}, []float64{60, 58, 180})
	logBeta := func(a ...float64) float64 {
		log, total := 0.0, 0.0
		for _, x := range a {
			y, _ := math.Lgamma(x)
			log, total = log+y, total+x
		}
		y, _ := math.Lgamma(total)
		return log - y
	}
	for _, test := range []struct {
		g        sharing.Settings
		row      float64 // Dirichlet count of a cell of one row
		both, x2 float64 // of the shared parameters
	}{
		{sharing.Settings{}, 1, 2, 1},
		{sharing.Settings{Alpha: 2, Restrict: true}, 2, 5, 3},
	} {
		statements, logBF, err := sharing.GroupAll(t.Context(), net, counts, &test.g)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"each of P(X=x0) = P(X=x1), P(X=x2) is the same wherever Z=z0 or Z=z2, whatever the other " +
			"parents"}
		if got := sentences(statements); !slices.Equal(got, want) {
			t.Errorf("statements %q, want %q", got, want)
		}
		if _, err := constraint.Compile(net, statements...); err != nil {
			t.Error(err)
		}
		shared := logBeta(test.both+199, test.x2+300) - logBeta(test.both, test.x2) - 199*math.Ln2
		r := test.row
		apart := logBeta(r+40, r+41, r+120) + logBeta(r+60, r+58, r+180) - 2*logBeta(r, r, r)
		numtest.Close(t, logBF, shared-apart, 1e-10, 0)
	}
}

func TestGroupSameSeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	net, counts := single(t, multinomial(rng, 60, []float64{0.1, 0.1, 0.2, 0.3, 0.3})...)
	find := func(seed uint64) *sharing.Groups {
		g, err := sharing.GroupStates(t.Context(), net, counts, "X", nil,
			&sharing.Settings{CrossValidate: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	a, b, other := find(1), find(1), find(2)
	if !slices.Equal(a.Path, b.Path) || !sameClasses(a.Classes, b.Classes) {
		t.Errorf("one seed, two results: %v and %v", a.Path, b.Path)
	}
	if slices.Equal(a.Path, other.Path) {
		t.Error("another seed deals the same folds")
	}
}

// The number of groups is the one that predicts best, not the most probable one.
func TestGroupHeldOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	differ := false
	for seed := range uint64(10) {
		net, counts := single(t, multinomial(rng, 300, []float64{0.05, 0.05, 0.05, 0.05, 0.1, 0.1, 0.15, 0.15, 0.15,
			0.15})...)
		g, err := sharing.GroupStates(t.Context(), net, counts, "X", nil,
			&sharing.Settings{CrossValidate: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		chosen := g.Path[len(g.Classes)-1]
		numtest.Close(t, g.LogMarginal, chosen.LogMarginal, 0, 0)
		for _, step := range g.Path {
			if step.HeldOut > chosen.HeldOut {
				t.Errorf("%d groups were chosen, but %d predict better: %v", chosen.Groups, step.Groups, g.Path)
			}
			differ = differ || step.LogMarginal > chosen.LogMarginal
		}
	}
	if !differ {
		t.Error("both selections agree on all data, so that one may be the other")
	}
}

func TestGroupErrors(t *testing.T) {
	net, err := bn.New("[Z][X|Z][W]", bn.Discrete("Z", "0", "1"), bn.Discrete("X", "a", "b"), bn.Continuous("W"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := single(t, 1, 2, 3, 4, 5, 6)
	with := func(n ...float64) *data.Counts { return &data.Counts{Layout: net.Layout(), N: n} }
	good := with(3, 3, 1, 2, 3, 0)
	z1 := bn.Given{"Z": "1"}
	tests := []struct {
		name   string
		counts *data.Counts
		of     string
		given  bn.Given
		g      *sharing.Settings
		is     error
		text   string
	}{
		{"unknown variable", good, "V", nil, nil, bn.ErrUnknownVariable, "V"},
		{"continuous variable", good, "W", nil, nil, bn.ErrNotDiscrete, "W"},
		{"no counts", nil, "X", z1, nil, nil, "no counts"},
		{"other network", &data.Counts{Layout: other.Layout(), N: good.N}, "X", z1, nil, nil, "another network"},
		{"too few counts", with(1, 2), "X", z1, nil, nil, "another network"},
		{"negative", with(3, 3, 1, 2, 3, -1), "X", z1, nil, nil, "P(X=b | Z=1) is -1"},
		{"not a number", with(3, 3, 1, 2, math.NaN(), 1), "X", z1, nil, nil, "P(X=a | Z=1) is NaN"},
		{"infinite", with(3, 3, 1, 2, math.Inf(1), 1), "X", z1, nil, nil, "P(X=a | Z=1) is +Inf"},
		{"too many", with(3, 3, 1, 1e300, 1, 1), "X", z1, nil, nil, "cannot be compared"},
		{"very many folds", good, "X", z1, &sharing.Settings{CrossValidate: true, Folds: math.MaxInt}, nil,
			"folds; give 10000 or fewer"},
		{"one fold", good, "X", z1, &sharing.Settings{CrossValidate: true, Folds: 1, Seed: 1}, nil,
			"1 folds"},
		{"parts of cases", with(3, 3, 1, 2.5, 1, 1), "X", z1,
			&sharing.Settings{CrossValidate: true, Seed: 1}, nil, "whole cases"},
		{"negative prior", good, "X", z1, &sharing.Settings{Alpha: -1}, nil, "-1 is not positive and at most"},
		{"large prior", good, "X", z1, &sharing.Settings{Alpha: 1e10}, nil, "1e+10 is not positive and at most"},
		{"prior not a number", good, "X", z1, &sharing.Settings{Alpha: math.NaN()}, nil,
			"NaN is not positive and at most"},
		{"no restricted prior", good, "X", z1, &sharing.Settings{Alpha: 0.5, Restrict: true}, nil, "not positive"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check := func(err error) {
				t.Helper()
				if err == nil || test.is != nil && !errors.Is(err, test.is) ||
					!strings.Contains(err.Error(), test.text) {
					t.Errorf("error %v, want one with %q that wraps %v", err, test.text, test.is)
				}
			}
			_, err := sharing.GroupStates(t.Context(), net, test.counts, test.of, test.given, test.g)
			check(err)
			_, err = sharing.GroupRows(t.Context(), net, test.counts, test.of, test.g)
			check(err)
			if test.of == "X" {
				_, _, err = sharing.GroupAll(t.Context(), net, test.counts, test.g)
				check(err)
			}
		})
	}
	for _, call := range []func() error{
		func() error { _, err := sharing.GroupStates(t.Context(), nil, good, "X", z1, nil); return err },
		func() error { _, err := sharing.GroupRows(t.Context(), nil, good, "X", nil); return err },
		func() error { _, _, err := sharing.GroupAll(t.Context(), nil, good, nil); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "no network") {
			t.Errorf("no network: error %v", err)
		}
	}
	if _, _, err := sharing.GroupAll(t.Context(), net, good, nil); err != nil {
		t.Errorf("a continuous variable beside the tables: %v", err)
	}
	for _, given := range []bn.Given{nil, {"Z": "2"}, {"Z": "1", "V": "1"}} {
		if _, err := sharing.GroupStates(t.Context(), net, good, "X", given, nil); err == nil {
			t.Errorf("grouped the states given %v", given)
		}
	}
}

// A search that is ended has nothing to say, but GroupAll what it has found before.
func TestGroupInterrupted(t *testing.T) {
	net, counts := pair(t, []float64{4, 4}, []float64{4, 4})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told [][2]int
	some, _, err := sharing.GroupAll(ctx, net, counts, &sharing.Settings{Progress: func(done, total int) {
		told = append(told, [2]int{done, total})
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "after 1 of 2 variables") ||
		!slices.Equal(told, [][2]int{{1, 2}, {1, 1}}) {
		t.Errorf("steps %v, error %v", told, err)
	}
	if got := sentences(some); !slices.Equal(got, []string{"P(Z=z0) = P(Z=z1)"}) {
		t.Errorf("found %q before", got)
	}
	for _, validate := range []bool{false, true} {
		if g, err := sharing.GroupStates(ctx, net, counts, "Z", nil,
			&sharing.Settings{CrossValidate: validate}); g != nil ||
			!errors.Is(err, context.Canceled) {
			t.Errorf("states cross-validated %v: %v, error %v", validate, g, err)
		}
		if g, err := sharing.GroupRows(ctx, net, counts, "X", &sharing.Settings{CrossValidate: validate}); g != nil ||
			!errors.Is(err, context.Canceled) {
			t.Errorf("rows cross-validated %v: %v, error %v", validate, g, err)
		}
	}
}

func TestGroupTooMany(t *testing.T) {
	net, counts := single(t, make([]float64, 10_001)...)
	_, err := sharing.GroupStates(t.Context(), net, counts, "X", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "10001 states") {
		t.Errorf("error %v", err)
	}
	net, counts = pair(t, slices.Repeat([][]float64{{0, 0}}, 10_001)...)
	_, err = sharing.GroupRows(t.Context(), net, counts, "X", nil)
	if err == nil || !strings.Contains(err.Error(), "10001 states") {
		t.Errorf("error %v", err)
	}
}

// Counts far apart in size give numbers, not NaN.
func TestGroupExtremes(t *testing.T) {
	for _, n := range [][]float64{{9e11, 0, 0}, {1e11, 1e11, 1}, {1e-300, 0, 1}, {0.5, 0.25, 1e-9}} {
		for _, alpha := range []float64{1e-300, 1e-5, 1, 1e9} {
			net, counts := pair(t, n, []float64{0, 0, 0}, []float64{1, 0, 0})
			statements, logBF, err := sharing.GroupAll(t.Context(), net, counts, &sharing.Settings{Alpha: alpha})
			if err != nil || math.IsNaN(logBF) || math.IsInf(logBF, 0) {
				t.Errorf("counts %v, α = %v: %v, log Bayes factor %v, error %v", n, alpha, statements, logBF, err)
			}
		}
	}
}

func BenchmarkGroupStates(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, k := range []int{50, 500} {
		n := make([]float64, k)
		for i := range n {
			n[i] = float64(rng.IntN(1000))
		}
		net, counts := single(b, n...)
		b.Run(fmt.Sprintf("states=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sharing.GroupStates(b.Context(), net, counts, "X", nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGroupRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	kinds := make([][]float64, 5)
	for i := range kinds {
		kinds[i] = make([]float64, 10)
		total := 0.0
		for j := range kinds[i] {
			kinds[i][j] = rng.ExpFloat64()
			total += kinds[i][j]
		}
		for j := range kinds[i] {
			kinds[i][j] /= total
		}
	}
	rows := make([][]float64, 200)
	for i := range rows {
		rows[i] = multinomial(rng, 100, kinds[i%5])
	}
	net, counts := pair(b, rows...)
	for _, validate := range []bool{false, true} {
		b.Run(fmt.Sprintf("configs=200,states=10,cross-validated=%v", validate), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sharing.GroupRows(b.Context(), net, counts, "X",
					&sharing.Settings{CrossValidate: validate, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
