package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// logit is the family P(child = last | parents) = 1/(1 + e^(−a − b x)) for the x-th configuration.
func logit(net *bn.Network, child string, wrong float64) learn.UserCPD {
	table, _ := net.Table(child)
	n := table.Configs().Len()
	p := func(l []float64, x int) float64 { return 1 / (1 + math.Exp(-l[0]-l[1]*float64(x))) }
	return learn.UserCPD{
		Text: "logistic regression of " + child, Children: []string{child}, Parameters: []string{"intercept", "slope"},
		Table: func(dst, l []float64) {
			for x := range n {
				dst[2*x], dst[2*x+1] = 1-p(l, x), p(l, x)
			}
		},
		Jacobian: func(dst *mat.Dense, l []float64) {
			for x := range n {
				d := p(l, x) * (1 - p(l, x))
				dst.SetRow(2*x, []float64{-d, -d * float64(x)})
				dst.SetRow(2*x+1, []float64{d, d*float64(x) + wrong})
			}
		},
	}
}

// Derivatives of each family are those of its tables; wrong ones are named, by CheckGradient
// and by APN before it starts.
func TestCheckGradient(t *testing.T) {
	net := fever(t)
	three, err := bn.New("[A][B][C|A:B][D|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "0", "1"),
		bn.Discrete("C", "0", "1", "2", "3"), bn.Discrete("D", "0", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	free := logit(net, "fever", 0)
	free.Jacobian = nil
	for _, c := range []struct {
		net *bn.Network
		f   learn.ParametricCPD
	}{
		{net, learn.NoisyORCPD{Child: "fever"}},
		{net, learn.NoisyORCPD{Child: "fever", Leak: true, Present: map[string]string{"flu": "no"}}},
		{net, learn.SharedTable{Children: []string{"flu", "cold"}}},
		{three, learn.SharedTable{Children: []string{"C", "D"}}},
		{three, learn.NeuralNet{Child: "C", Hidden: 3}},
		{net, logit(net, "fever", 0)},
		{net, free},
	} {
		if err := learn.CheckGradient(c.net, c.f, rand.NewPCG(1, 0)); err != nil {
			t.Errorf("%s: %v", c.f, err)
		}
	}
	bad := logit(net, "fever", .01)
	err = learn.CheckGradient(net, bad, rand.NewPCG(1, 0))
	var e *learn.GradientError
	if !errors.As(err, &e) || !errors.Is(err, learn.ErrGradient) || e.Parameter != "slope" ||
		!strings.HasPrefix(e.Entry, "fever=yes | flu=") {
		t.Errorf("wrong Jacobian: %v", err)
	} else {
		numtest.Close(t, e.Pullback-e.Difference, .01, 1e-7, 0)
	}
	table := rows(t, net, []int{0, 0, 0, 3}, []int{1, 1, 1, 3})
	if _, err := learn.Fit(t.Context(), net, table, learn.APN{CPDs: []learn.ParametricCPD{bad}}, nil); !errors.Is(err,
		learn.ErrGradient) {
		t.Errorf("Fit with a wrong Jacobian: %v", err)
	}
	if err := learn.CheckGradient(net, free, nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("no source: %v", err)
	}
}

// One table for two tests has the pooled counts: 3 + 1 of 8 + 2 positive when ill, 2 + 3 of 10 + 10 when not.
func TestTiedPoolsCounts(t *testing.T) {
	net, err := bn.New("[ill][first|ill][second|ill]", bn.Discrete("ill", "no", "yes"), bn.Discrete("first", "-", "+"),
		bn.Discrete("second", "neg", "pos"))
	if err != nil {
		t.Fatal(err)
	}
	table := rows(t, net, []int{0, 0, 0, 6}, []int{0, 0, 1, 2}, []int{0, 1, 0, 1}, []int{0, 1, 1, 1},
		[]int{1, 0, 1, 3}, []int{1, 1, 0, 2}, []int{1, 1, 1, 5})
	want := fit(t, net, table,
		learn.MAP{Constraints: []constraint.Constraint{constraint.ShareTables{Vars: []string{"first", "second"}}}})
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{CPDs: []learn.ParametricCPD{learn.SharedTable{Children: []string{"first",
			"second"}}}, ConjugateGradient: search}, &exact)
		for i, p := range []float64{15. / 20, 5. / 20, 5. / 20, 15. / 20} {
			numtest.Close(t, r.Net.CPT(1).P[i], p, 1e-6, 0)
			numtest.Close(t, r.Net.CPT(2).P[i], p, 1e-6, 0)
			numtest.Close(t, r.CPDs[0].Values[i], p, 1e-6, 0)
		}
		numtest.Close(t, r.LogLikelihood, want.LogLikelihood, 1e-8, 0)
	}
}

// Four cells of ten cases with one, nine, nine and one positive: no logistic regression on the
// parents fits that, but a net with enough hidden units does.
func TestNeuralNetFitsExclusiveOr(t *testing.T) {
	net := fever(t)
	table := rows(t, net, []int{0, 0, 0, 9}, []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, []int{0, 1, 1, 9},
		[]int{1, 0, 0, 1}, []int{1, 0, 1, 9}, []int{1, 1, 0, 9}, []int{1, 1, 1, 1})
	set := exact
	set.Seed, set.Starts = 2, 3
	r := trained(t, net, table, learn.APN{CPDs: []learn.ParametricCPD{learn.NeuralNet{Child: "fever", Hidden: 4}}},
		&set)
	equalTables(t, r.Net, fit(t, net, table, learn.ML{}).Net, 1e-3)
}

// A parameter for each of two configurations is the free table in other words: logit(2/10) and
// logit(7/10) − logit(2/10).
func TestUserFamilyByHand(t *testing.T) {
	net, err := bn.New("[dose][cured|dose]", bn.Discrete("dose", "low", "high"), bn.Discrete("cured", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := rows(t, net, []int{0, 0, 8}, []int{0, 1, 2}, []int{1, 0, 3}, []int{1, 1, 7})
	a := math.Log(2. / 8)
	b := math.Log(7./3) - a
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{CPDs: []learn.ParametricCPD{logit(net, "cured", 0)},
			ConjugateGradient: search},
			&exact)
		numtest.Close(t, r.CPDs[0].Values[0], a, 1e-5, 0)
		numtest.Close(t, r.CPDs[0].Values[1], b, 1e-5, 0)
	}
	// From gives back the parameters that made its tables.
	from := net.Clone()
	copy(from.CPT(1).P, []float64{.6, .4, .1, .9})
	set := &learn.Settings{From: from, MaxIterations: 1}
	set.Progress = func(p learn.Progress) {
		if p.Step.Iteration == 0 {
			for i, want := range []float64{.6, .4, .1, .9} {
				numtest.Close(t, p.Theta[2+i], want, 1e-5, 0)
			}
		}
	}
	trained(t, net, table, learn.APN{CPDs: []learn.ParametricCPD{logit(net, "cured", 0)}}, set)
}

// Influences with a weight on the table of a family that can make every table: what is best for
// free tables, whose M-step is exact, where that leaves the rows apart.
func TestFamilyWithViolations(t *testing.T) {
	net, err := bn.New("[dose][cured|dose]", bn.Discrete("dose", "low", "high"), bn.Discrete("cured", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := rows(t, net, []int{0, 0, 3}, []int{0, 1, 7}, []int{1, 0, 8}, []int{1, 1, 2})
	for _, search := range searches {
		m := learn.APN{Constraints: []constraint.Constraint{constraint.Influence{Parent: "dose", Child: "cured"}},
			ViolationWeight: 5, ConjugateGradient: search}
		free := trained(t, net, table, m, &exact)
		m.CPDs = []learn.ParametricCPD{logit(net, "cured", 0)}
		r := trained(t, net, table, m, &exact)
		equalTables(t, r.Net, free.Net, 1e-5)
		if v := r.Trace[len(r.Trace)-1].Violation; !(v > .2) {
			t.Errorf("violation %v", v)
		}
	}
}

// bare is a family that binds to nothing of use.
type bare struct{ p *learn.Parametric }

func (bare) String() string { return "bare" }

func (b bare) Bind(*bn.Network) (*learn.Parametric, error) { return b.p, nil }

func TestFamilyErrors(t *testing.T) {
	net := fever(t)
	table := rows(t, net, []int{0, 0, 0, 3}, []int{1, 1, 1, 3})
	off := logit(net, "fever", 0)
	off.Table = func(dst, _ []float64) {
		for i := range dst {
			dst[i] = .4
		}
	}
	off.Jacobian = nil
	nan := off
	nan.Table = func(dst, _ []float64) { dst[0] = math.NaN() }
	start := logit(net, "fever", 0)
	start.First = []float64{math.Inf(1), 0}
	short := start
	short.First = []float64{1}
	for _, c := range []struct {
		f    learn.ParametricCPD
		want string
	}{
		{bare{}, "must set Children"}, {bare{&learn.Parametric{Children: []string{"flu"}}}, "must set Children"},
		{off, "row of sum"}, {nan, "NaN"}, {start, "finite"}, {short, "First"},
		{learn.UserCPD{Text: "empty"}, "Children"},
		{learn.UserCPD{Children: []string{"fever"}}, "Parameters"},
		{learn.UserCPD{Children: []string{"fever"}, Parameters: []string{"a"}}, "Table"},
		{learn.UserCPD{Children: []string{"Q"}, Parameters: []string{"a"}, Table: off.Table}, `"Q"`},
		{learn.SharedTable{Children: []string{"flu"}}, "at least two"},
		{learn.SharedTable{Children: []string{"flu", "flu"}}, "duplicate"},
		{learn.SharedTable{Children: []string{"flu", "fever"}}, "alike"},
		{learn.NeuralNet{Child: "fever"}, "Hidden must be"},
		{learn.NeuralNet{Child: "flu", Hidden: 1}, "no parents"},
		{learn.NoisyORCPD{Child: "Q"}, `"Q"`},
	} {
		_, err := learn.Fit(t.Context(), net, table, learn.APN{CPDs: []learn.ParametricCPD{c.f}}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.f, err, c.want)
		}
	}
}

// What a user's functions do wrong is an error that names the family and the function, at the
// start, on the way there from given tables, during the search, and at its end.
func TestUserFamilyFails(t *testing.T) {
	net := fever(t)
	table := rows(t, net, []int{0, 0, 0, 5}, []int{0, 0, 1, 1}, []int{1, 1, 0, 1}, []int{1, 1, 1, 5})
	from := net.Clone()
	copy(from.CPT(2).P, []float64{.6, .4, .5, .5, .3, .7, .2, .8})
	base := logit(net, "fever", 0)
	later := func(calls int, do func(dst []float64)) func(dst, lambda []float64) { // all is well at first
		return func(dst, lambda []float64) {
			base.Table(dst, lambda)
			if calls--; calls < 0 {
				do(dst)
			}
		}
	}
	mine := func([]float64) { panic("mine") }
	for name, c := range map[string]struct {
		change func(f *learn.UserCPD)
		from   *bn.Network
		want   string
	}{
		"table":  {func(f *learn.UserCPD) { f.Table = later(0, mine) }, nil, "Table panics: mine"},
		"from":   {func(f *learn.UserCPD) { f.Table = later(12, mine) }, from, "Table panics: mine"},
		"search": {func(f *learn.UserCPD) { f.Table = later(12, mine) }, nil, "Table panics: mine"},
		"differences": {func(f *learn.UserCPD) { f.Table, f.Jacobian = later(8, mine), nil }, nil,
			"Table panics: mine"},
		"jacobian": {func(f *learn.UserCPD) { f.Jacobian = func(d *mat.Dense, _ []float64) { d.Set(99, 0, 1) } },
			nil, "Jacobian panics"},
		"natural": {func(f *learn.UserCPD) { f.Natural = func(d, _ []float64) { _ = d[9] } }, nil,
			"Natural panics"},
		"no number": {func(f *learn.UserCPD) { f.Natural = func(d, _ []float64) { d[1] = math.NaN() } }, nil,
			"Natural writes NaN for slope"},
	} {
		f := base
		c.change(&f)
		_, err := learn.Fit(t.Context(), net, table, learn.APN{CPDs: []learn.ParametricCPD{f}},
			&learn.Settings{From: c.from})
		if err == nil || !strings.Contains(err.Error(), f.Text) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	bad := base
	bad.Table = later(0, mine)
	if err := learn.CheckGradient(net, bad, rand.NewPCG(1, 0)); err == nil ||
		!strings.Contains(err.Error(), "Table panics: mine") {
		t.Errorf("CheckGradient: %v", err)
	}
	if err := learn.CheckGradient(nil, base, rand.NewPCG(1, 0)); err == nil ||
		!strings.Contains(err.Error(), "no network") {
		t.Errorf("CheckGradient without a network: %v", err)
	}
}

// Where a table is no distribution the search turns back. The best slope is 2 log 5, as
// TestUserFamilyByHand has it; a family that ends at 3 stays below that, one that ends at 4 does not.
func TestUserFamilyWithEdge(t *testing.T) {
	net, err := bn.New("[dose][cured|dose]", bn.Discrete("dose", "low", "high"), bn.Discrete("cured", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := rows(t, net, []int{0, 0, 5}, []int{0, 1, 1}, []int{1, 0, 1}, []int{1, 1, 5})
	for _, search := range searches {
		for _, c := range []struct{ edge, off float64 }{{3, math.NaN()}, {3, 1}, {4, math.NaN()}} {
			f := logit(net, "cured", 0)
			whole := f.Table
			f.Table = func(dst, l []float64) {
				if whole(dst, l); l[1] > c.edge {
					dst[2], dst[3] = dst[2]+c.off, dst[3]+c.off
				}
			}
			r := trained(t, net, table, learn.APN{CPDs: []learn.ParametricCPD{f}, ConjugateGradient: search}, &exact)
			slope := r.CPDs[0].Values[1]
			if best := 2 * math.Log(5); c.edge > best {
				numtest.Close(t, slope, best, 1e-5, 0)
			} else if !(slope <= c.edge) || !(r.Trace[len(r.Trace)-1].Objective > r.Trace[0].Objective+1) {
				t.Errorf("%v: slope %v of at most %v, %v", search, slope, c.edge, r.Trace)
			}
		}
	}
}
