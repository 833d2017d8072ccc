package bn

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// identifier follows Shpitser and Pearl (2006), Figure 3, line by line, with numbers for distributions. It
// knows the projected graph by parents and confounding.
type identifier struct {
	p     *projection
	order []int
}

func (id identifier) above(y, v int) int {
	for {
		more := y
		for c := range id.p.parents {
			if y>>c&1 == 1 {
				more |= setOf(id.p.parents[c]...) & v
			}
		}
		if more == y {
			return y
		}
		y = more
	}
}

func (id identifier) components(v int) []int {
	var out []int
	for left := v; left != 0; {
		part := left & -left
		for grown := 0; grown != part; {
			grown = part
			for a := range id.p.parents {
				for b := range id.p.parents {
					if part>>a&1 == 1 && v>>b&1 == 1 && id.p.confounded[a][b] > 0 {
						part |= 1 << b
					}
				}
			}
		}
		out, left = append(out, part), left&^part
	}
	return out
}

// product is Π P(v_i | variables of v before it) over the members of s.
func (id identifier) product(f function, v, s int) function {
	out := make(function, len(f))
	for i := range out {
		out[i] = 1
	}
	later := v
	for _, w := range id.order {
		if v>>w&1 == 0 {
			continue
		}
		before := f.sum(later)
		later &^= 1 << w
		with := f.sum(later)
		if s>>w&1 == 1 {
			for i := range out {
				out[i] *= with[i] / before[i]
			}
		}
	}
	return out
}

func (id identifier) effect(y, x int, f function, v int) (function, bool) {
	if x == 0 { // 1
		return f.sum(v &^ y), true
	}
	if a := id.above(y, v); a != v { // 2
		return id.effect(y, x&a, f.sum(v&^a), a)
	}
	if w := v &^ x &^ id.above(y, v&^x); w != 0 { // 3
		return id.effect(y, x|w, f, v)
	}
	parts := id.components(v &^ x)
	if len(parts) > 1 { // 4
		out := make(function, len(f))
		for i := range out {
			out[i] = 1
		}
		for _, s := range parts {
			g, ok := id.effect(s, v&^s, f, v)
			if !ok {
				return nil, false
			}
			for i := range out {
				out[i] *= g[i]
			}
		}
		return out.sum(v &^ (y | x)), true
	}
	for _, whole := range id.components(v) {
		switch s := parts[0]; {
		case whole == v && s != v: // 5
			return nil, false
		case whole == s: // 6
			return id.product(f, v, s).sum(s &^ y), true
		case whole&s == s: // 7
			return id.effect(y, x&whole, id.product(f, v, whole), whole)
		}
	}
	return nil, false
}

// TestIdentifiable: the verdict is that of Shpitser and Pearl's algorithm, whose number is the effect in
// the network after intervention.
func TestIdentifiable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	neither, refused := 0, 0
	for range graphs(1500) {
		g := randomDAG(t, 3+r.IntN(6), 0.4, r)
		k := g.Len()
		order := r.Perm(k)
		x, y, rest := order[:1], order[1:2], order[2:]
		if k > 4 && r.IntN(3) == 0 {
			x, rest = order[:3:3], order[3:]
			x = append(x[:1:1], x[2]) // order[1] is the outcome
		}
		var hidden []string
		isHidden := make([]bool, k)
		all := 0
		for _, v := range rest {
			isHidden[v] = r.IntN(2) == 0
			if isHidden[v] {
				hidden = append(hidden, g.Name(v))
			}
		}
		for v := range k {
			if !isHidden[v] {
				all |= 1 << v
			}
		}
		id := identifier{g.project(isHidden), g.Order()}
		n := binary(t, g, r)
		p := jointOf(n).sum((1<<k - 1) &^ all)
		f, ok := id.effect(setOf(y...), setOf(x...), p, all)
		names := func(set []int) (out []string) {
			for _, v := range set {
				out = append(out, g.Name(v))
			}
			return out
		}
		err := g.Identifiable(names(x), names(y), hidden...)
		var no *UnidentifiableError
		if err != nil && !errors.As(err, &no) || ok != (err == nil) {
			t.Fatalf("%v: effect of %v on %v, hidden %v: %v, want %v", g, names(x), names(y), hidden, err, ok)
		}
		if !ok {
			refused++
			checkPath(t, g, no, names(x), names(y), hidden)
			continue
		}
		if d := distance(f, effect(t, n, x, y)); d > 1e-9 {
			t.Errorf("%v: effect of %v on %v, hidden %v is off by %g", g, names(x), names(y), hidden, d)
		}
		if len(x) == 1 {
			a, _ := g.AdjustmentSets(g.Name(x[0]), g.Name(y[0]), hidden...)
			b, _ := g.FrontdoorSets(g.Name(x[0]), g.Name(y[0]), hidden...)
			if len(a)+len(b) == 0 {
				neither++
			}
		}
	}
	if refused < graphs(20) || neither < 3 {
		t.Errorf("%d refused, %d by neither adjustment nor front door: too few to tell", refused, neither)
	}
}

// checkPath holds that the path is one of the graph, from a treatment to an outcome, with arrows as they
// stand, and goes through hidden variables named.
func checkPath(t *testing.T, g *DAG, e *UnidentifiableError, x, y, hidden []string) {
	t.Helper()
	words := strings.Fields(e.Path)
	var met []string
	for i := 1; i+2 < len(words); i += 2 {
		if words[i] == "→" && words[i+2] == "←" {
			met = append(met, words[i+1])
		}
	}
	if !slices.Equal(met, e.Given) {
		t.Fatalf("%v: on %s arrows meet at %v, not at %v", g, e.Path, met, e.Given)
	}
	for i := 0; i+2 < len(words); i += 2 {
		a, _ := g.Index(words[i])
		b, _ := g.Index(words[i+2])
		if words[i+1] == "←" {
			a, b = b, a
		}
		if !slices.Contains(g.Parents(b), a) {
			t.Fatalf("%v: %s has no arc %s %s %s", g, e.Path, words[i], words[i+1], words[i+2])
		}
	}
	last := words[len(words)-1]
	if !slices.Contains(x, words[0]) || !slices.Contains(y, last) || words[1] != "←" || len(e.Hidden) == 0 {
		t.Fatalf("%v: %s is no path from %v to %v through what is hidden", g, e.Path, x, y)
	}
	for _, name := range e.Hidden {
		if !slices.Contains(hidden, name) || !slices.Contains(words, name) {
			t.Fatalf("%v: %s of %s is not hidden, or not on it", g, name, e.Path)
		}
	}
}

// TestPublishedEffects: the graphs that textbooks discuss.
func TestPublishedEffects(t *testing.T) {
	for _, test := range []struct {
		name, model, x, y, hidden string
		adjust, front             string
		err                       string
	}{
		{"smoking and tar", "[gene][smoke|gene][tar|smoke][cancer|tar:gene]", "smoke", "cancer", "gene",
			"[]", "[[tar]]", ""},
		{"M-graph", "[a][b][m|a:b][x|a][y|x:b]", "x", "y", "a b", "[[]]", "[]", ""},
		{"M-graph, all seen", "[a][b][m|a:b][x|a][y|x:b]", "x", "y", "", "[[]]", "[]", ""},
		{"Simpson's paradox, sex", "[sex][drug|sex][recovery|drug:sex]", "drug", "recovery", "", "[[sex]]", "[]", ""},
		{"Simpson's paradox, blood pressure", "[drug][pressure|drug][recovery|drug:pressure]", "drug", "recovery", "",
			"[[]]", "[]", ""},
		{"bow", "[u][x|u][y|x:u]", "x", "y", "u", "[]", "[]", "x ← u → y is open; observe u, or"},
		{"instrument", "[u][z][x|z:u][y|x:u]", "x", "y", "u", "[]", "[]", "x ← u → y is open"},
		{"collider on the way", "[U1][U2][W1|U1:U2][X|W1:U1][Y1|X:U2]", "X", "Y1", "U1 U2", "[]", "[]",
			"X ← U1 → W1 ← U2 → Y1 is open given W1, and other paths are without W1; observe U1 or U2, or set"},
		{"napkin", "[u][v][w|u:v][z|w][x|z:u][y|x:v]", "x", "y", "u v", "[]", "[]", ""},
		{"Pearl's two back doors", "[a][b][c|a:b][d|a][e|b][x|c:d][f|x][y|f:c:e]", "x", "y", "",
			"[[a c] [b c] [c d] [c e]]", "[[f]]", ""},
		{"no effect", "[x][y]", "x", "y", "", "[[]]", "[]", ""},
		{"against the arrow", "[y][x|y]", "x", "y", "", "[]", "[]", ""},
	} {
		g, err := ParseDAG(test.model)
		if err != nil {
			t.Fatal(err)
		}
		hidden := strings.Fields(test.hidden)
		adjust, err := g.AdjustmentSets(test.x, test.y, hidden...)
		if err != nil || fmt.Sprint(adjust) != test.adjust {
			t.Errorf("%s: adjustment sets %v, %v, want %s", test.name, adjust, err, test.adjust)
		}
		front, err := g.FrontdoorSets(test.x, test.y, hidden...)
		if err != nil || fmt.Sprint(front) != test.front {
			t.Errorf("%s: front doors %v, %v, want %s", test.name, front, err, test.front)
		}
		err = g.Identifiable([]string{test.x}, []string{test.y}, hidden...)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		}
	}
}
