package structure_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// Scores of random families under random statements are those of the definition, for which every group of inequalities
// that is left out is a problem of its own.
func TestConstrainedReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	families, held := 100, 0
	if !numtest.Full() {
		families = 30
	}
	for i := range families {
		c, net := drawnFamily(t, rng)
		statements := drawnStatements(rng, net)
		var vars []bn.Variable
		for v := range net.Len() {
			vars = append(vars, net.Variable(v))
		}
		score, err := structure.Constrained{Statements: statements}.Bind(vars)
		if err != nil {
			t.Fatal(err)
		}
		got, err := score.(interface {
			TryFamily(c *structure.Counts) (float64, error)
		}).TryFamily(c)
		if errors.Is(err, constraint.ErrInfeasible) {
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", statements, err)
		}
		n := make([]float64, net.Layout().Len())
		lo, _ := net.Layout().Family(net.Len() - 1)
		copy(n[lo:], c.N)
		p, err := constraint.Compile(net, statements...)
		if err != nil {
			t.Fatal(err)
		}
		u, err := newUnder(net, p, n)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := u.binding()
		if err != nil {
			t.Fatal(err)
		}
		want := u.loglik - math.Log(c.Rows)/2*float64(c.Q*(c.R-1)-bound)
		if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("family %d: %v, want %v with %d held, under %v, counts %v", i, got, want, bound, statements, c.N)
		}
		if bound > 0 {
			held++
		}
	}
	t.Logf("%d of %d families are held by a statement", held, families)
	if 2*held < families {
		t.Error("too few to tell")
	}
}

// drawnFamily draws a child with one to three parents, and counts of it.
func drawnFamily(t *testing.T, rng *rand.Rand) (*structure.Counts, *bn.Network) {
	t.Helper()
	states := []string{"a", "b", "c", "d"}
	parents := 1 + rng.IntN(3)
	vars := make([]bn.Variable, parents+1)
	names := make([]string, parents+1)
	arcs := make([][]int, parents+1)
	for v := range vars {
		names[v] = fmt.Sprintf("P%d", v)
		vars[v] = bn.Discrete(names[v], states[:2+rng.IntN(3)]...)
		if v < parents {
			arcs[parents] = append(arcs[parents], v)
		}
	}
	g, err := bn.NewDAG(names, arcs)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	child := vars[parents]
	c := &structure.Counts{Child: child, Parents: vars[:parents], R: child.Cardinality(), Q: 1, Scale: 1}
	for _, p := range c.Parents {
		c.Q *= p.Cardinality()
	}
	mean := []float64{1, 5, 200}[rng.IntN(3)]
	for range c.Q * c.R {
		n := math.Floor(mean * 2 * rng.Float64() * rng.ExpFloat64())
		c.N = append(c.N, n)
		c.Rows += n
	}
	c.N[0]++
	c.Rows++
	return c, net
}

// drawnStatements draws one to three statements about the last variable.
func drawnStatements(rng *rand.Rand, net *bn.Network) (list []constraint.Constraint) {
	child := net.Variable(net.Len() - 1)
	if rng.IntN(6) == 0 {
		p := net.Variable(0).States
		return []constraint.Constraint{constraint.ShareAcross{Var: child.Name,
			Given: []bn.Given{{"P0": p[0]}, {"P0": p[len(p)-1]}}}}
	}
	for v := range net.Len() - 1 {
		if v > 0 && rng.IntN(2) == 0 {
			continue
		}
		p := net.Variable(v)
		up := constraint.Influence{Parent: p.Name, Child: child.Name, Sign: constraint.Sign(rng.IntN(2))}
		switch rng.IntN(8) {
		case 0:
			up.Over = p.States[len(p.States)-2:]
		case 1:
			if v > 0 {
				up.Given = bn.Given{"P0": "b"}
			}
		case 2:
			up.Margin = 0.01
		}
		list = append(list, up)
	}
	switch rng.IntN(8) {
	case 0:
		list = append(list, constraint.ShareAcross{Var: child.Name, Given: []bn.Given{{"P0": "a"}, {"P0": "b"}}})
	case 1:
		list = append(list, constraint.AtMost{Var: child.Name, States: child.States[:1], P: 0.5})
	}
	return list
}

// under is the maximum of one family under statements.
type under struct {
	net     *bn.Network
	n       []float64
	bounds  [][]constraint.Bound // by statement
	texts   []string
	loglik  float64 // under all statements
	without map[*constraint.Linear]bool
	problem *constraint.Problem // of the last maximum
	theta   []float64
}

func newUnder(net *bn.Network, p *constraint.Problem, n []float64) (*under, error) {
	u := &under{net: net, n: n, problem: p, theta: make([]float64, len(n)), without: make(map[*constraint.Linear]bool)}
	for _, st := range p.Statements() {
		bounds, err := st.Bind(net)
		if err != nil {
			return nil, err
		}
		u.bounds, u.texts = append(u.bounds, bounds), append(u.texts, st.String())
	}
	err := p.Maximize(u.theta, n)
	u.loglik = u.logLikelihood()
	return u, err
}

// A relaxed statement is what is left of one.
type relaxed struct {
	text   string
	bounds []constraint.Bound
}

func (r relaxed) String() string                               { return r.text }
func (r relaxed) Bind(*bn.Network) ([]constraint.Bound, error) { return r.bounds, nil }

// maximize finds the maximum under all relations but those left out.
func (u *under) maximize() error {
	statements := make([]constraint.Constraint, len(u.bounds))
	for i, bounds := range u.bounds {
		left := relaxed{text: u.texts[i], bounds: append([]constraint.Bound(nil), bounds...)}
		for b := range left.bounds {
			kept := left.bounds[b].AtMost[:0:0]
			for j := range bounds[b].AtMost {
				if l := &bounds[b].AtMost[j]; !u.without[l] {
					kept = append(kept, *l)
				}
			}
			left.bounds[b].AtMost = kept
		}
		statements[i] = left
	}
	var err error
	if u.problem, err = constraint.Compile(u.net, statements...); err != nil {
		return err
	}
	return u.problem.Maximize(u.theta, u.n)
}

// logLikelihood is Σ n ln θ at the last maximum.
func (u *under) logLikelihood() float64 {
	loglik := 0.0
	for cell, count := range u.n {
		if count > 0 {
			loglik += count * math.Log(u.theta[cell])
		}
	}
	return loglik
}

// heldTol is the difference of a linear function from its bound at which they count as equal, and
// the log-likelihood, in nats for a case, that an inequality must cost to count as holding the
// estimate back.
const heldTol = 1e-7

// binding is the number of independent relations that hold the estimate: all equalities, and
// inequalities that cannot be left out without raising the likelihood.
func (u *under) binding() (int, error) {
	var active []*constraint.Linear
	for _, bounds := range u.bounds {
		for _, b := range bounds {
			for j := range b.AtMost {
				l := &b.AtMost[j]
				at := -l.Value
				for i, cell := range l.Cells {
					coef := 1.0
					if l.Coef != nil {
						coef = l.Coef[i]
					}
					at += coef * u.theta[cell]
				}
				if at > -heldTol {
					active = append(active, l)
				} else {
					u.without[l] = true
				}
			}
		}
	}
	if err := u.drop(active); err != nil {
		return 0, err
	}
	if err := u.maximize(); err != nil {
		return 0, err
	}
	return u.problem.Binding(u.theta), nil
}

// drop leaves out as many of the relations as it can: all at once, or else those of one half and then of
// the other, down to single ones.
func (u *under) drop(relations []*constraint.Linear) error {
	if len(relations) == 0 {
		return nil
	}
	for _, l := range relations {
		u.without[l] = true
	}
	if err := u.maximize(); err != nil {
		return err
	}
	cases := 0.0
	for _, n := range u.n {
		cases += n
	}
	if !(u.logLikelihood() > u.loglik+heldTol*cases) {
		return nil
	}
	for _, l := range relations {
		delete(u.without, l)
	}
	if len(relations) == 1 {
		return nil
	}
	half := len(relations) / 2
	if err := u.drop(relations[:half]); err != nil {
		return err
	}
	return u.drop(relations[half:])
}
