package bn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// clinic returns the chest clinic network of Lauritzen and Spiegelhalter (1988).
func clinic(t testing.TB) *Network {
	t.Helper()
	names := []string{"asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"}
	vars := make([]Variable, len(names))
	for i, name := range names {
		vars[i] = Discrete(name, "no", "yes")
	}
	n, err := New("[asia][tub|asia][smoke][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|either:bronc]",
		vars...)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]string{
		"asia":   "no yes\n 0.99 0.01",
		"tub":    "asia | no yes\n no | 0.99 0.01\n yes | 0.95 0.05",
		"smoke":  "no yes\n 0.5 0.5",
		"lung":   "smoke | no yes\n no | 0.99 0.01\n yes | 0.9 0.1",
		"bronc":  "smoke | no yes\n no | 0.7 0.3\n yes | 0.4 0.6",
		"either": "tub lung | no yes\n no no | 1 0\n * * | 0 1",
		"xray":   "either | no yes\n no | 0.95 0.05\n yes | 0.02 0.98",
		"dysp":   "either bronc | no yes\n no no | 0.9 0.1\n no yes | 0.2 0.8\n yes no | 0.3 0.7\n yes yes | 0.1 0.9",
	} {
		if err := n.SetTable(name, table); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestNew(t *testing.T) {
	// The variables take the order of the model string, not of the list.
	n, err := New("[a][b|c:a][c]", Discrete("c", "x", "y", "z"), Discrete("a", "no", "yes"), Discrete("b", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	if n.String() != "[a][b|c:a][c]" || n.Len() != 3 || n.Variable(2).Cardinality() != 3 ||
		n.Variables()[1].Name != "b" {
		t.Errorf("network %v of %v", n, n.Variables())
	}
	b, err := n.Table("b")
	if err != nil {
		t.Fatal(err)
	}
	if b.Parents[0].Name != "c" || b.Parents[1].Name != "a" || len(b.P) != 12 || b != n.CPT(1) {
		t.Errorf("table of b given %v with %d entries", b.Parents, len(b.P))
	}
	if n.Gaussian(1) != nil {
		t.Error("a discrete variable has a linear-Gaussian distribution")
	}
	if got := n.FreeParameters(); got != 1+6+2 {
		t.Errorf("%d free parameters, want 9", got)
	}
	if err := n.Validate(); err != nil {
		t.Error(err)
	}
}

func TestNewErrors(t *testing.T) {
	a, b := Discrete("a", "no", "yes"), Discrete("b", "no", "yes")
	parents := make([]string, 40)
	vars := []Variable{a}
	model := ""
	for i := range parents {
		parents[i] = fmt.Sprint("p", i)
		vars = append(vars, Discrete(parents[i], "no", "yes"))
		model += "[" + parents[i] + "]"
	}
	for _, c := range []struct {
		name, model string
		vars        []Variable
		is          error
		message     string
	}{
		{"model", "[a", []Variable{a}, nil, "position 1: the bracket is not closed"},
		{"not in the model", "[a]", []Variable{a, b}, ErrUnknownVariable,
			`bn: unknown variable "b" (there are: a): the model string does not name it`},
		{"not in the list", "[a][b|a]", []Variable{a}, nil,
			`bn: the model string names "b", but its states are not given; add bn.Discrete("b", …)`},
		{"twice in the list", "[a]", []Variable{a, a}, ErrDuplicate, `bn: duplicate name: variable "a"`},
		{"states twice", "[a]", []Variable{Discrete("a", "x", "x")}, ErrDuplicate,
			`variable "a" has the state "x" twice`},
		{"no states", "[a]", []Variable{Discrete("a")}, nil, `discrete variable "a" has no states`},
		{"continuous parent", "[x][a|x]", []Variable{a, Continuous("x")}, ErrNotDiscrete,
			`the discrete variable "a" cannot have the parent "x"`},
		{"40 parents", model + "[a|" + strings.Join(parents, ":") + "]", vars, nil, "fewer parents"},
		{"40 parents of a continuous variable", model + "[a|" + strings.Join(parents, ":") + "]",
			append([]Variable{Continuous("a")}, vars[1:]...), nil, "fewer parents"},
	} {
		if _, err := New(c.model, c.vars...); err == nil || !strings.Contains(err.Error(), c.message) || c.is != nil &&
			!errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want one with %q that wraps %v", c.name, err, c.message, c.is)
		}
	}
	g, err := ParseDAG("[a][b]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewNetwork(g, []Variable{a}); err == nil ||
		!strings.Contains(err.Error(), "1 variables for a graph of 2") {
		t.Errorf("error %v", err)
	}
	if _, err := NewNetwork(g, []Variable{b, a}); err == nil ||
		!strings.Contains(err.Error(), `variable 1 is "a" in the graph and "b" in the list`) {
		t.Errorf("error %v", err)
	}
}

func TestNewNetworkCopies(t *testing.T) {
	states := []string{"no", "yes"}
	n, err := New("[a]", Variable{Name: "a", States: states})
	if err != nil {
		t.Fatal(err)
	}
	states[0] = "changed"
	if n.Variable(0).States[0] != "no" || n.CPT(0).Child.States[0] != "no" {
		t.Errorf("the network changed with its input: %v", n.Variable(0))
	}
	n.Variables()[0].Name = "changed"
	if n.Variable(0).Name != "a" {
		t.Error("the network changed with the list it returned")
	}
}

func TestSetTable(t *testing.T) {
	n := clinic(t)
	before := n.Clone()
	for _, c := range []struct {
		name, variable, text string
		is                   error
		message              string
	}{
		{"unknown", "Tub", "no yes\n1 0", ErrUnknownVariable, `unknown variable "Tub"`},
		{"bad table", "tub", "asia | no yes\n no | 1 0", nil, `the table of "tub" has no row for asia=yes`},
		{"bad row", "tub", "asia | no yes\n no | 1 0\n yes | 1 1", nil,
			`table of "tub", line 3: the probabilities sum to 2, not 1`},
	} {
		if err := n.SetTable(c.variable, c.text); err == nil || !strings.Contains(err.Error(), c.message) ||
			c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want one with %q that wraps %v", c.name, err, c.message, c.is)
		}
	}
	for v := range n.Len() {
		if !n.CPT(v).Equal(before.CPT(v)) {
			t.Errorf("an error changed the table of %s", n.Variable(v).Name)
		}
	}
	tub, err := n.Table("tub")
	if err != nil {
		t.Fatal(err)
	}
	if err := n.SetTable("tub", "asia | yes no\n * | 0.25 0.75"); err != nil ||
		!slices.Equal(tub.P, []float64{0.75, 0.25, 0.75, 0.25}) {
		t.Errorf("table %v, error %v", tub.P, err)
	}
}

func TestSetCPT(t *testing.T) {
	n := clinic(t)
	asia, no := n.Variable(0), []float64{0.9, 0.1, 0.2, 0.8}
	tub := mustCPT(t, n.Variable(1), asia)
	copy(tub.P, no)
	if err := n.SetCPT(tub); err != nil || !slices.Equal(n.CPT(1).P, no) {
		t.Errorf("table %v, error %v, want %v", n.CPT(1).P, err, no)
	}
	tub.P[0] = 0.5
	if n.CPT(1).P[0] != 0.9 {
		t.Error("the network changed with the table it was given")
	}
	literal := &CPT{Child: n.Variable(1), Parents: []Variable{asia}, P: []float64{1, 0, 0.5, 0.5}}
	if err := n.SetCPT(literal); err != nil || !slices.Equal(n.CPT(1).P, literal.P) {
		t.Errorf("struct literal: table %v, error %v, want %v", n.CPT(1).P, err, literal.P)
	}
	for _, c := range []struct {
		name    string
		t       *CPT
		message string
	}{
		{"unknown", mustCPT(t, Discrete("x", "a")), `unknown variable "x"`},
		{"parents", mustCPT(t, n.Variable(1)),
			`the table of "tub" given [] is not of this network's family, "tub {no, yes}" given [asia {no, yes}]`},
		{"states", mustCPT(t, Discrete("tub", "yes", "no"), asia), "is not of this network's family"},
		{"row", tub, `given asia=no sum to 0.6, not 1`},
		{"entries", &CPT{Child: n.Variable(1), Parents: []Variable{asia}, P: []float64{1, 0}},
			`has 2 entries, 2 configurations of 2 states need 4`},
	} {
		if err := n.SetCPT(c.t); err == nil ||
			!strings.Contains(strings.ReplaceAll(err.Error(), `"tub {no, yes}" given []`, `"tub" given []`),
				c.message) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.message)
		}
	}
	if !slices.Equal(n.CPT(1).P, literal.P) {
		t.Error("an error changed the table")
	}
}

func TestTableOfContinuous(t *testing.T) {
	n, err := New("[x]", Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Table("x"); !errors.Is(err, ErrNotDiscrete) || n.CPT(0) != nil {
		t.Errorf("table %v, error %v, want one that wraps %v", n.CPT(0), err, ErrNotDiscrete)
	}
	if err := n.SetTable("x", "a\n1"); !errors.Is(err, ErrNotDiscrete) {
		t.Errorf("error %v", err)
	}
	if err := n.SetCPT(mustCPT(t, Discrete("x", "a"))); !errors.Is(err, ErrNotDiscrete) {
		t.Errorf("error %v", err)
	}
}

// mixed returns a network with a discrete and a continuous parent.
func mixed(t testing.TB) *Network {
	t.Helper()
	n, err := New("[arm][dose][effect|dose:arm]", Discrete("arm", "placebo", "drug", "both"), Continuous("dose"),
		Continuous("effect"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSetGaussian(t *testing.T) {
	n := mixed(t)
	if got := n.FreeParameters(); got != 2+2+3*3 {
		t.Errorf("%d free parameters, want 13", got)
	}
	arm, dose, effect := n.Variable(0), n.Variable(1), n.Variable(2)
	g, err := NewLinearGaussian(effect, dose, arm)
	if err != nil {
		t.Fatal(err)
	}
	if g.Configs().Len() != 3 || g.Variance[2] != 1 || g.Mean(1, []float64{5}) != 0 {
		t.Errorf("a new node is not standard normal: %+v", g)
	}
	g.Intercept[1], g.Weights[1][0], g.Variance[1] = 1, 2, 4
	if err := n.SetGaussian(g); err != nil {
		t.Fatal(err)
	}
	if got := n.Gaussian(2).Mean(1, []float64{3}); got != 7 {
		t.Errorf("mean %v, want 1 + 2·3 = 7", got)
	}
	g.Intercept[1], g.Weights[1][0] = 100, 100
	if got := n.Gaussian(2).Mean(1, []float64{3}); got != 7 {
		t.Error("the network changed with the node it was given")
	}
	literal := &LinearGaussian{
		Child: effect, Discrete: []Variable{arm}, Continuous: []Variable{dose},
		Intercept: []float64{1, 2, 3}, Weights: [][]float64{{1}, {2}, {3}}, Variance: []float64{1, 1, 0},
	}
	if err := literal.Validate(); err == nil || !strings.Contains(err.Error(), "make it with NewLinearGaussian") {
		t.Errorf("error %v", err)
	}
	if err := n.SetGaussian(literal); err != nil || n.Gaussian(2).Configs().Len() != 3 ||
		n.Gaussian(2).Mean(2, []float64{2}) != 9 {
		t.Errorf("struct literal: error %v, node %+v", err, n.Gaussian(2))
	}
	with := func(change func(*LinearGaussian)) *LinearGaussian {
		g := n.Gaussian(2).Clone()
		change(g)
		return g
	}
	for _, c := range []struct {
		name    string
		g       *LinearGaussian
		message string
	}{
		{"unknown", with(func(g *LinearGaussian) { g.Child.Name = "x" }), `unknown variable "x"`},
		{"discrete", with(func(g *LinearGaussian) { g.Child = arm }), `bn: "arm" is discrete, it needs a table`},
		{"child turned discrete", with(func(g *LinearGaussian) { g.Child.States = []string{"a"} }),
			`bn: effect {a} is not the variable of this network, effect (continuous)`},
		{"parents", with(func(g *LinearGaussian) { g.Discrete = nil }),
			`the parents of "effect" are discrete [] and continuous [dose (continuous)], in this network [arm {placebo, drug, both}]`},
		{"too few", with(func(g *LinearGaussian) { g.Intercept = g.Intercept[:2] }),
			`"effect" needs an intercept, weights and a variance for each of 3 configurations`},
		{"no weights", with(func(g *LinearGaussian) { g.Weights[1] = nil }),
			`"effect" has 0 weights for 1 continuous parents given arm=drug`},
		{"NaN intercept", with(func(g *LinearGaussian) { g.Intercept[0] = math.NaN() }),
			`the intercept of "effect" given arm=placebo is NaN, which is not finite`},
		{"infinite weight", with(func(g *LinearGaussian) { g.Weights[2][0] = math.Inf(-1) }),
			`the weight of "dose" for "effect" given arm=both is -Inf, which is not finite`},
		{"negative variance", with(func(g *LinearGaussian) { g.Variance[1] = -1 }),
			`the variance of "effect" given arm=drug is -1; it must be finite and not negative`},
		{"NaN variance", with(func(g *LinearGaussian) { g.Variance[1] = math.NaN() }),
			`the variance of "effect" given arm=drug is NaN`},
	} {
		if err := n.SetGaussian(c.g); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.message)
		}
	}
	if _, err := NewLinearGaussian(arm); err == nil ||
		!strings.Contains(err.Error(), `"arm" is discrete, a linear-Gaussian node is continuous`) {
		t.Errorf("error %v", err)
	}
	if _, err := NewLinearGaussian(effect, Discrete("x")); err == nil ||
		!strings.Contains(err.Error(), `"x" has no states`) {
		t.Errorf("error %v", err)
	}
	root := &LinearGaussian{Child: dose, Intercept: []float64{0}, Weights: [][]float64{nil}, Variance: []float64{-1}}
	if err := n.SetGaussian(root); err == nil || !strings.Contains(err.Error(), `the variance of "dose" is -1`) {
		t.Errorf("error %v", err)
	}
}

func TestNetworkClone(t *testing.T) {
	n := mixed(t)
	c := n.Clone()
	c.CPT(0).P[0] = 0.9
	c.Gaussian(2).Intercept[0] = 9
	c.Gaussian(2).Weights[0][0] = 9
	c.Gaussian(2).Variance[0] = 9
	g := n.Gaussian(2)
	if n.CPT(0).P[0] != 1.0/3 || g.Intercept[0] != 0 || g.Weights[0][0] != 0 || g.Variance[0] != 1 {
		t.Errorf("the network changed with its clone: %v, %+v", n.CPT(0).P, g)
	}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `"arm" sum to`) {
		t.Errorf("error %v, want one for the table of arm", err)
	}
	c.CPT(0).P[0] = 1.0 / 3
	c.Gaussian(2).Variance[0] = -1
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `variance of "effect"`) {
		t.Errorf("error %v, want one for the variance of effect", err)
	}
}

// Matches says where two networks part first.
func TestMatches(t *testing.T) {
	yes := []string{"no", "yes"}
	network := func(model string, vars ...Variable) *Network {
		t.Helper()
		net, err := New(model, vars...)
		if err != nil {
			t.Fatal(err)
		}
		return net
	}
	three := []Variable{Discrete("a", yes...), Discrete("b", yes...), Discrete("c", yes...)}
	net := network("[a][b][c|a:b]", three...)
	other := net.Clone()
	other.CPT(2).P[0], other.CPT(2).P[1] = 0.25, 0.75
	if err := net.Matches(other); err != nil {
		t.Errorf("tables make no difference: %v", err)
	}
	for name, test := range map[string]struct {
		other *Network
		says  string
	}{
		"fewer": {network("[a][b]", three[:2]...), "3 variables and the other 2"},
		"name": {network("[a][d][c|a:d]", three[0], Discrete("d", yes...), three[2]),
			`variable 2 is "b" in one network and "d" in the other`},
		"states": {network("[a][b][c|a:b]", three[0], Discrete("b", "yes", "no"), three[2]), `"b" has other states`},
		"kind":   {network("[a][b|a][c|a]", three[0], Continuous("b"), three[2]), `"b" has other states`},
		"arc":    {network("[a][b|a][c|a]", three...), `"b" has other parents`},
		"order": {network("[a][b][c|b:a]", three...),
			`"c" has other parents in one network than in the other, or in another order`},
		"reverse": {network("[a|c][b][c|b]", three...), `"a" has other parents`},
	} {
		if err := net.Matches(test.other); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want an error with %s", name, err, test.says)
		}
	}
}

func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawDAG(t, 6)
		vars := make([]Variable, g.Len())
		for _, v := range g.Order() {
			discrete := rapid.Bool().Draw(t, "discrete")
			for _, p := range g.Parents(v) {
				discrete = discrete || !vars[p].IsDiscrete()
			}
			vars[v] = Continuous(g.Name(v))
			if len(g.Parents(v)) == 0 || discrete {
				vars[v] = Discrete(g.Name(v), []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "states")]...)
			}
			for _, p := range g.Parents(v) {
				if !vars[p].IsDiscrete() {
					vars[v] = Continuous(g.Name(v))
				}
			}
		}
		if rapid.Bool().Draw(t, "continuous leaf") {
			for v := range vars {
				if len(g.Children(v)) == 0 {
					vars[v] = Continuous(g.Name(v))
				}
			}
		}
		n, err := NewNetwork(g, vars)
		if err != nil {
			t.Fatal(err)
		}
		l := n.Layout()
		cell := 0
		for v := range n.Len() {
			lo, hi := l.Family(v)
			if lo != cell {
				t.Fatalf("family %d begins at %d, want %d", v, lo, cell)
			}
			if table := n.CPT(v); table != nil {
				for config := range table.Configs().Len() {
					rowLo, rowHi := l.Row(v, config)
					if rowLo != cell || rowHi != cell+vars[v].Cardinality() {
						t.Fatalf("row (%d, %d) is [%d, %d), want to begin at %d", v, config, rowLo, rowHi, cell)
					}
					for state := range vars[v].Cardinality() {
						if got := l.Cell(v, config, state); got != cell {
							t.Fatalf("Cell(%d, %d, %d) = %d, want %d", v, config, state, got, cell)
						}
						if a, b, c := l.Locate(cell); a != v || b != config || c != state {
							t.Fatalf("Locate(%d) = %d, %d, %d, want %d, %d, %d", cell, a, b, c, v, config, state)
						}
						cell++
					}
				}
			}
			if hi != cell {
				t.Fatalf("family %d ends at %d, want %d", v, hi, cell)
			}
		}
		if l.Len() != cell {
			t.Fatalf("Len() = %d, want %d", l.Len(), cell)
		}
	})
	l := clinic(t).Layout()
	for _, cell := range []int{-1, l.Len()} {
		func() {
			defer func() {
				if r := recover(); r != "bn: table entry out of range" {
					t.Errorf("Locate(%d) of %d: recovered %v", cell, l.Len(), r)
				}
			}()
			l.Locate(cell)
		}()
	}
}
