package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/cores"
	"bnlab/internal/numtest"
)

// slowly is a noisy-OR whose equations are solved as anybody's functions are.
type slowly struct{ constraint.NoisyOR }

func (s slowly) Bind(net *bn.Network) ([]constraint.Bound, error) {
	bounds, err := s.NoisyOR.Bind(net)
	for i, b := range bounds {
		bounds[i] = constraint.Bound{Links: b.Links, Smooth: b.Smooth}
	}
	return bounds, err
}

// An augmented Lagrangian that sees only equations and inequalities between table entries, from several
// starts, comes as high and no higher.
func TestNoisyORByLagrangian(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("Y", "0", "1")}
	for _, name := range []string{"A", "B", "C"} {
		vars = append(vars, bn.Discrete(name, "0", "1"))
	}
	net := network(t, "[A][B][C][Y|A:B:C]", vars...)
	s := constraint.NoisyOR{Child: "Y", Sets: [][]string{{"A", "B"}, {"C"}}}
	a, b, c := constraint.Influence{Parent: "A", Child: "Y"}, constraint.Influence{Parent: "B", Child: "Y"},
		constraint.Influence{Parent: "C", Child: "Y", Sign: constraint.Negative}
	margin := constraint.Influence{Parent: "A", Child: "Y", Margin: 0.1}
	more := constraint.Synergy{Parents: []string{"A", "B"}, Child: "Y", Margin: 0.05}
	rng := rand.New(rand.NewPCG(41, 0))
	for k, statements := range [][]constraint.Constraint{nil, {a, b, c}, {margin, b, c}, {a, b, more},
		{a, b, constraint.Synergy{Parents: []string{"A", "B"}, Child: "Y", Sub: true}}} {
		if !numtest.Full() && k > 1 {
			continue // the other method takes its time
		}
		fast, slow := compile(t, net, under(s, statements...)...), compile(t, net, under(slowly{s}, statements...)...)
		solved, tries := 0, 4
		if !numtest.Full() {
			tries = 1
		}
		for range tries {
			n := cases(rng, net, "Y", 200)
			for i := range n {
				n[i] += 0.5 // inside, where the other method is at its best
			}
			got, err := fast.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			want, err := slow.Solve(n)
			if errors.Is(err, cores.ErrNotConverged) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			solved++
			if g, w := objective(n, got.Theta), objective(n, want.Theta); !(math.Abs(g-w) <= 1e-5*total(n)) {
				t.Errorf("%v: %v, and %v by %v", statements, g, w, want.Parts[0])
			}
			if miss := slow.Violation(got.Theta); !(miss <= 1e-9) {
				t.Errorf("%v: missed by %v", statements, miss)
			}
		}
		if solved < tries/2 {
			t.Errorf("%v: solved %d times only", statements, solved)
		}
	}
}

// Statements hold, multipliers exist, and so many parameters are left free as there should be.
func TestUnderNoisyOR(t *testing.T) {
	net, s, rest := relapse(t)
	rng := rand.New(rand.NewPCG(42, 0))
	for name, statements := range map[string][]constraint.Constraint{"alone": nil, "signs": rest[:5], "all": rest} {
		p := compile(t, net, under(s, statements...)...)
		for range instances() / 4 {
			n := cases(rng, net, "relapse", 300)
			got, err := p.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			part := got.Parts[0]
			all := total(n)
			switch {
			case part.Starts > 0:
				if part.Method != "convex-concave procedure" || !part.Local ||
					part.Agreed != part.Starts || !(part.Residual <= 1e-7) {
					t.Errorf("%s: %v", name, part)
				}
			case part.Method != "barrier Newton in log g" || !part.Global ||
				!(part.Gap <= 1e-8*all):
				t.Errorf("%s: %v", name, part)
			}
			if miss := p.Violation(got.Theta); !(miss <= 1e-9) {
				t.Errorf("%s: missed by %v", name, miss)
			}
			if _, residual, err := got.Multipliers(); err != nil || !(residual <= 1e-5) {
				t.Errorf("%s: a residual of %v, error %v", name, residual, err)
			}
			if binding := p.Binding(got.Theta); binding < 48-9 || name == "alone" && binding > 48-9 {
				t.Errorf("%s: %d dimensions are taken, of which the noisy-OR takes 39", name, binding)
			}
			feasible(t, net, got.Theta, 1e-12)
		}
	}
	p := compile(t, net, under(s, rest...)...)
	if got, want := p.Methods()[0], "barrier Newton in log g"; got != want {
		t.Errorf("method %q, want %q", got, want)
	}
	n, set := make([]float64, p.Layout().Len()), &constraint.Sampling{Src: rand.NewPCG(1, 0)}
	if _, err := p.LogMarginal(t.Context(), n, n, set); !errors.Is(err, constraint.ErrNoPrior) {
		t.Errorf("LogMarginal: error %v", err)
	}
	if _, err := p.Draw(t.Context(), n, n, set, "relapse"); !errors.Is(err, constraint.ErrNoPrior) {
		t.Errorf("Draw: error %v", err)
	}
	if _, err := p.PosteriorMean(t.Context(), slices.Clone(n), n, n, set); !errors.Is(err, constraint.ErrNoPrior) {
		t.Errorf("PosteriorMean: error %v", err)
	}
	if n := testing.AllocsPerRun(5, func() { p.Maximize(n, n) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Rows are flagged when the counts do not say what their sets do, though not for being empty.
func TestNoisyORFlags(t *testing.T) {
	net, s, _ := relapse(t)
	p := compile(t, net, s)
	n := make([]float64, p.Layout().Len())
	x := net.CPT(5)
	seen := func(given ...string) bool { // therapy is never full, and grade high only with size high
		return given[4] != "full" && !(given[3] == "high" && given[1] == "low")
	}
	for config := range x.Configs().Len() {
		if seen(x.ConfigNames(config)...) && config%5 != 1 {
			n[net.Layout().Cell(5, config, 0)], n[net.Layout().Cell(5, config, 1)] = 2, 3
		}
	}
	flagged := make(map[string]bool)
	for _, f := range p.Flags(maximize(p, n), n) {
		if f.Var == "relapse" && !f.ZeroProbability {
			flagged[f.Given] = true
		}
	}
	for config := range x.Configs().Len() {
		names := x.ConfigNames(config)
		given := ""
		for i, parent := range x.Parents {
			given += ", " + parent.Name + "=" + names[i]
		}
		if given = strings.TrimPrefix(given, ", "); flagged[given] == seen(names...) {
			t.Errorf("%s is flagged: %v", given, flagged[given])
		}
	}
}

// Names and orders do not matter: neither of states, parents, sets nor of parents within a set.
func TestNoisyORByAnyName(t *testing.T) {
	net, s, rest := relapse(t)
	rng := rand.New(rand.NewPCG(43, 0))
	vars := slices.Clone(net.Variables())
	vars[5] = bn.Discrete("relapse", "yes", "no") // the other way round
	other := network(t, "[relapse|grade:therapy:age:menopause:size][therapy][grade][size][menopause][age]", vars...)
	turned := constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"therapy"}, {"grade", "size"},
		{"menopause", "age"}}, Present: "yes"}
	var mirrored []constraint.Constraint // what raises relapse now lowers its states
	for _, r := range rest {
		switch r := r.(type) {
		case constraint.Influence:
			r.Sign = 1 - r.Sign
			mirrored = append(mirrored, r)
		case *constraint.Influence:
			mirrored = append(mirrored, constraint.Influence{Parent: r.Parent, Child: r.Child, Sign: 1 - r.Sign})
		case constraint.Synergy:
			r.Sub = !r.Sub
			mirrored = append(mirrored, r)
		case *constraint.Synergy:
			mirrored = append(mirrored, constraint.Synergy{Parents: r.Parents, Child: r.Child, Sub: !r.Sub})
		}
	}
	for _, k := range []int{0, 5, 7} {
		p, q := compile(t, net, under(s, rest[:k]...)...), compile(t, other, under(turned, mirrored[:k]...)...)
		for range 4 {
			n := cases(rng, net, "relapse", 150)
			near(t, fmt.Sprint(k, " statements"), byName(t, other, net, maximize(q, byName(t, net, other, n))),
				maximize(p, n), 1e-6)
		}
	}
}

// What holds of each set holds of the table (Y13, appendix B): signs, synergies and sub-synergies; and over sets
// with one sign there are sub-synergies.
func TestSetsKeepTheirStatements(t *testing.T) {
	net, s, rest := relapse(t)
	rng := rand.New(rand.NewPCG(44, 0))
	over := constraint.Synergy{Parents: []string{"age", "grade"}, Child: "relapse", Sub: true}
	for range instances() {
		// what causes is more likely with each parent, s(1,1) − s(1,0) − s(0,1) + s(0,0) ≥ 0, or ≤
		synergy := func(sub bool) []float64 {
			a := rng.Float64() / 3
			b, c := a+rng.Float64()/3, a+rng.Float64()/3
			if sub {
				return []float64{a, b, c, max(b, c) + rng.Float64()*(b+c-a-max(b, c))}
			}
			return []float64{a, b, c, b + c - a + rng.Float64()*(1-(b+c-a))}
		}
		x := rng.Float64()
		y := x * rng.Float64()
		table, err := s.Table(net, []constraint.SetLink{
			{Link: rng.Float64(), P: synergy(false)}, {Link: rng.Float64(), P: synergy(true)},
			{Link: rng.Float64(), P: []float64{x, y, y * rng.Float64()}},
		}, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := compile(t, net, append(slices.Clone(rest), over)...)
		theta := make([]float64, p.Layout().Len())
		lo, hi := p.Layout().Family(5)
		copy(theta[lo:hi], table.P)
		if miss := p.Violation(theta); !(miss <= 1e-15) {
			t.Fatalf("a table of %v breaks a statement by %v", table, miss)
		}
	}
}

// Parents that all raise the child reinforce each other: with more of them it is no less likely (Y13, appendix A).
func TestSignsReinforce(t *testing.T) {
	net, s, rest := relapse(t)
	rng := rand.New(rand.NewPCG(45, 0))
	rest[4] = constraint.Influence{Parent: "therapy", Child: "relapse"}
	p := compile(t, net, under(s, rest[:5]...)...)
	for range 5 {
		theta := maximize(p, cases(rng, net, "relapse", 200))
		c := net.CPT(5).Configs()
		for some := range c.Len() {
			for all := range c.Len() {
				more := true
				for i := range c.Parents() {
					more = more && c.States(nil, some)[i] <= c.States(nil, all)[i]
				}
				if lo, hi := theta[p.Layout().Cell(5, some, 1)], theta[p.Layout().Cell(5, all, 1)]; more &&
					!(lo <= hi+1e-12) {
					t.Fatalf("%v in configuration %d and %v in %d", lo, some, hi, all)
				}
			}
		}
	}
}

// From any point that satisfies the statements Improve leads no lower, and where the maximum is certified to it.
func TestNoisyORImproves(t *testing.T) {
	net, s, rest := relapse(t)
	rng := rand.New(rand.NewPCG(46, 0))
	p := compile(t, net, under(s, rest...)...)
	for range 6 {
		from := maximize(p, cases(rng, net, "relapse", 60))
		n := drift(rng, cases(rng, net, "relapse", 300))
		got := make([]float64, len(n))
		if err := p.Improve(got, n, from); err != nil {
			t.Fatal(err)
		}
		value := func(theta []float64) float64 { return objective(n, theta) }
		if best := value(maximize(p, n)); !(value(got) >= value(from) && math.Abs(value(got)-best) <= 1e-7*total(n)) {
			t.Errorf("from %v to %v, at the maximum %v", value(from), value(got), best)
		}
		if miss := p.Violation(got); !(miss <= 1e-9) {
			t.Errorf("missed by %v", miss)
		}
	}
}
