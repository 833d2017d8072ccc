package bn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/numtest"
)

// randomDAG has each arc from an earlier to a later of n shuffled variables with probability p.
func randomDAG(t *testing.T, n int, p float64, r *rand.Rand) *DAG {
	t.Helper()
	names, parents, order := make([]string, n), make([][]int, n), r.Perm(n)
	for v := range n {
		names[v] = string(rune('A' + v))
		for u := range n {
			if order[u] < order[v] && r.Float64() < p {
				parents[v] = append(parents[v], u)
			}
		}
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// graphs is how many random graphs a test looks at: a fifth in a short run.
func graphs(n int) int {
	if !numtest.Full() {
		return n / 5
	}
	return n
}

// openPath looks for an open path from x to y by the definition, over all paths without a
// repeated variable.
func openPath(g *DAG, x, y int, given []bool) bool {
	below := func(v int) bool { // v or a descendant is given
		for u, is := range closure(g.children, []int{v}) {
			if is && given[u] {
				return true
			}
		}
		return given[v]
	}
	isParent := func(p, v int) bool { return slices.Contains(g.parents[v], p) }
	var walk func(path []int) bool
	walk = func(path []int) bool {
		at := path[len(path)-1]
		if at == y {
			for i := 1; i+1 < len(path); i++ {
				meets := isParent(path[i-1], path[i]) && isParent(path[i+1], path[i])
				if meets && !below(path[i]) || !meets && given[path[i]] {
					return false
				}
			}
			return true
		}
		for _, next := range append(slices.Clone(g.parents[at]), g.children[at]...) {
			if !slices.Contains(path, next) && walk(append(slices.Clone(path), next)) {
				return true
			}
		}
		return false
	}
	return walk([]int{x})
}

// Every pair given every set of the others, against all paths.
func TestDSeparatedByPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range graphs(60) {
		g := randomDAG(t, 6, 0.45, r)
		for x := range 6 {
			for y := range x {
				for set := range 1 << 6 {
					if set>>x&1 == 1 || set>>y&1 == 1 {
						continue
					}
					given, names := make([]bool, 6), []string(nil)
					for v := range 6 {
						if set>>v&1 == 1 {
							given[v], names = true, append(names, g.Name(v))
						}
					}
					got, err := g.DSeparated([]string{g.Name(x)}, []string{g.Name(y)}, names)
					if err != nil {
						t.Fatal(err)
					}
					if want := !openPath(g, x, y, given); got != want {
						t.Fatalf("%v: %s and %s given %v: separated %v, by all paths %v", g, g.Name(x), g.Name(y),
							names, got, want)
					}
				}
			}
		}
	}
}

// Sets are separated when all their pairs are (by the definition).
func TestDSeparatedSets(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for range 300 {
		g := randomDAG(t, 7, 0.35, r)
		var sets [4][]string // x, y, given, none of them
		for v := range 7 {
			k := r.IntN(4)
			sets[k] = append(sets[k], g.Name(v))
		}
		if len(sets[0]) == 0 || len(sets[1]) == 0 {
			continue
		}
		got, err := g.DSeparated(sets[0], sets[1], sets[2])
		if err != nil {
			t.Fatal(err)
		}
		want := true
		for _, x := range sets[0] {
			for _, y := range sets[1] {
				one, err := g.DSeparated([]string{x}, []string{y}, sets[2])
				if err != nil {
					t.Fatal(err)
				}
				want = want && one
			}
		}
		if got != want {
			t.Errorf("%v: %v, pairs say %v", g, got, want)
		}
	}
}

// In networks with random tables what is separated is independent, and nothing else is.
func TestDSeparatedIsIndependence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	const n = 5
	for range graphs(25) {
		g := randomDAG(t, n, 0.5, r)
		p := randomJoint(g, r)
		for x := range n {
			for y := range x {
				for set := range 1 << n {
					if set>>x&1 == 1 || set>>y&1 == 1 {
						continue
					}
					var names []string
					for v := range n {
						if set>>v&1 == 1 {
							names = append(names, g.Name(v))
						}
					}
					separated, err := g.DSeparated([]string{g.Name(x)}, []string{g.Name(y)}, names)
					if err != nil {
						t.Fatal(err)
					}
					// Sums of 32 products are right to 1e-15; a dependence that is there is
					// the larger, unless a random table happens to hide it.
					gap := dependence(p, 1<<x, 1<<y, set)
					if separated && gap > 1e-14 || !separated && gap < 1e-9 {
						t.Errorf("%v: %s and %s given %v: separated %v, P(xy|z) − P(x|z)P(y|z) up to %.2g", g,
							g.Name(x), g.Name(y), names, separated, gap)
					}
				}
			}
		}
	}
}

// randomJoint is the joint distribution of binary variables with random tables, by the bits of
// the states.
func randomJoint(g *DAG, r *rand.Rand) []float64 {
	p := make([]float64, 1<<g.Len())
	for i := range p {
		p[i] = 1
	}
	for v, ps := range g.parents {
		table := make([]float64, 1<<len(ps))
		for i := range table {
			table[i] = 0.1 + 0.8*r.Float64()
		}
		for i := range p {
			config := 0
			for k, u := range ps {
				config |= i >> u & 1 << k
			}
			if i>>v&1 == 1 {
				p[i] *= table[config]
			} else {
				p[i] *= 1 - table[config]
			}
		}
	}
	return p
}

// dependence is the greatest |P(x,y,z)P(z) − P(x,z)P(y,z)| over all states.
func dependence(p []float64, x, y, given int) float64 {
	sum := func(mask, states int) float64 {
		total := 0.0
		for i, pi := range p {
			if i&mask == states {
				total += pi
			}
		}
		return total
	}
	worst := 0.0
	for states := range p {
		all := x | y | given
		if states&^all != 0 {
			continue
		}
		gap := sum(all, states)*sum(given, states&given) - sum(x|given, states&(x|given))*sum(y|given, states&(y|given))
		worst = max(worst, math.Abs(gap))
	}
	return worst
}

// The blanket is the smallest set that separates a variable from all others.
func TestMarkovBlanket(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	for range 100 {
		g := randomDAG(t, 6, 0.4, r)
		for v := range 6 {
			got, err := g.MarkovBlanket(g.Name(v))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for u := range 6 { // u is in it exactly when all others do not separate it
				var others []string
				for w := range 6 {
					if w != u && w != v {
						others = append(others, g.Name(w))
					}
				}
				if separated, err := g.DSeparated([]string{g.Name(v)}, []string{g.Name(u)}, others); u != v &&
					(err != nil || !separated) {
					want = append(want, g.Name(u))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: blanket of %s is %v, want %v", g, g.Name(v), got, want)
			}
		}
	}
}

func TestAncestors(t *testing.T) {
	g, err := ParseDAG("[A][B|A][C|B:D][D][E|C]")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		do   func(...string) ([]string, error)
		of   []string
		want string
	}{
		{g.Ancestors, []string{"C"}, "[A B D]"}, {g.Ancestors, []string{"B", "C"}, "[A B D]"},
		{g.Ancestors, []string{"A"}, "[]"},
		{g.Descendants, []string{"A"}, "[B C E]"}, {g.Descendants, []string{"E", "D"}, "[C E]"},
		{g.Descendants, nil, "[]"},
	} {
		got, err := c.do(c.of...)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("of %v: %v (%v), want %v", c.of, got, err, c.want)
		}
	}
}

func TestDSeparatedErrors(t *testing.T) {
	g, err := ParseDAG("[A][B|A][C|B]")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		x, y, given []string
		want        error
	}{
		{"unknown", []string{"A"}, []string{"Z"}, nil, ErrUnknownVariable},
		{"unknown given", []string{"A"}, []string{"B"}, []string{"Z"}, ErrUnknownVariable},
		{"on both sides", []string{"A", "B"}, []string{"B"}, nil, ErrDuplicate},
		{"given too", []string{"A"}, []string{"B"}, []string{"A"}, ErrDuplicate},
		{"nothing", nil, []string{"B"}, nil, nil},
	} {
		if _, err := g.DSeparated(c.x, c.y, c.given); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := g.MarkovBlanket("Z"); !errors.Is(err, ErrUnknownVariable) {
		t.Errorf("blanket of an unknown variable: %v", err)
	}
}
