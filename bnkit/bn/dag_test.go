package bn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDAG(t *testing.T) {
	for _, c := range []struct {
		name, model string
		names       []string
		parents     [][]int
		order       []int
	}{
		{"one", "[A]", []string{"A"}, [][]int{nil}, []int{0}},
		{"chain", "[A][B|A][C|B]", []string{"A", "B", "C"}, [][]int{nil, {0}, {1}}, []int{0, 1, 2}},
		{"parents later and in their own order", "[B|C:A][A][C]", []string{"B", "A", "C"}, [][]int{{2, 1}, nil, nil},
			[]int{1, 2, 0}},
		{"white space", " [ A ]\n\t[B | A : C][C] \r\n", []string{"A", "B", "C"}, [][]int{nil, {0, 2}, nil},
			[]int{0, 2, 1}},
		{"names", "[blood pressure][é.1-x_#|blood pressure]", []string{"blood pressure", "é.1-x_#"}, [][]int{nil, {0}},
			[]int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := ParseDAG(c.model)
			if err != nil {
				t.Fatal(err)
			}
			arcs := 0
			for v, name := range c.names {
				if g.Name(v) != name || !slices.Equal(g.Parents(v), c.parents[v]) {
					t.Errorf("variable %d is %q given %v, want %q given %v", v, g.Name(v), g.Parents(v), name,
						c.parents[v])
				}
				if i, err := g.Index(name); i != v || err != nil {
					t.Errorf("Index(%q) = %d, %v, want %d", name, i, err, v)
				}
				for _, p := range c.parents[v] {
					arcs++
					if !slices.Contains(g.Children(p), v) {
						t.Errorf("Children(%d) = %v, want %d among them", p, g.Children(p), v)
					}
				}
			}
			if g.Len() != len(c.names) || g.Arcs() != arcs || !slices.Equal(g.Order(), c.order) {
				t.Errorf("%d variables, %d arcs, order %v, want %d, %d, %v", g.Len(), g.Arcs(), g.Order(), len(c.names),
					arcs, c.order)
			}
		})
	}
}

func TestParseDAGErrors(t *testing.T) {
	for _, c := range []struct {
		name, model string
		is          error
		message     string
	}{
		{"empty", "", nil, "the model string has no variables; write for example [A][B|A]"},
		{"blank", " \n", nil, "the model string has no variables"},
		{"no bracket", "A", nil, `position 1: found "A" where [ should stand`},
		{"text between", "[A] and [B]", nil, `position 5: found "and [B]" where [ should stand`},
		{"long text between", "[A] and then comes [B]", nil, `position 5: found "and then com…" where`},
		{"not closed", "[A][B|A", nil, "position 4: the bracket is not closed by ]"},
		{"not closed before the next", "[A[B]", nil, "position 1: the bracket is not closed by ]"},
		{"no name", "[A][]", nil, "position 4: the bracket names no variable"},
		{"no name before the bar", "[A][ |A]", nil, "position 4: the bracket names no variable"},
		{"no parent after the bar", "[A|]", nil, `position 1: "A" has a parent without a name`},
		{"no parent between colons", "[B][A|B::B]", nil, `position 4: "A" has a parent without a name`},
		{"two bars", "[A][B][C|A|B]", nil,
			`position 7: a second bar in the bracket of "C"; parents are separated by colons, as in [C|A:B]`},
		{"unknown parent", "[A][B|C]", ErrUnknownVariable,
			`position 4: unknown variable "C": a parent of "B" needs a bracket of its own, as in [C]`},
		{"parents separated by commas", "[A][B][C|A,B]", ErrUnknownVariable, `"A,B"`},
		{"twice", "[A][B][A]", ErrDuplicate, `position 7: duplicate name: variable "A" occurs twice`},
		{"parent twice", "[A][B|A:A]", ErrDuplicate, `duplicate name: "A" is named twice as a parent of "B"`},
		{"after two-byte letters", "[é][é]", ErrDuplicate, "position 5:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := ParseDAG(c.model)
			if err == nil {
				t.Fatalf("no error, graph %v", g)
			}
			if !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "bn: ") || c.is != nil &&
				!errors.Is(err, c.is) {
				t.Errorf("error %q, want one with %q that wraps %v", err, c.message, c.is)
			}
		})
	}
}

func TestCycles(t *testing.T) {
	for _, c := range []struct{ model, path string }{
		{"[A|A]", "A → A"},
		{"[A|B][B|A]", "A → B → A"},
		{"[A|C][B|A][C|B]", "A → B → C → A"},
		{"[R][A|R:C][B|A][C|B][D|C][E|D]", "A → B → C → A"},
		{"[R][D|C][A|R:B][B|A][C|B]", "A → B → A"}, // D is ordered after the cycle, not on it
	} {
		_, err := ParseDAG(c.model)
		var cycle *CycleError
		if !errors.As(err, &cycle) {
			t.Errorf("%s: error %v, want a cycle", c.model, err)
			continue
		}
		// A cycle may be told from any of its variables on.
		path := cycle.Path
		if at := slices.Index(path, "A"); at > 0 {
			path = append(slices.Clone(path[at:]), path[1:at+1]...)
		}
		if got := strings.Join(path, " → "); got != c.path {
			t.Errorf("%s: path %v, want %s", c.model, cycle.Path, c.path)
		}
		if want := "bn: the arcs form a cycle: " + strings.Join(cycle.Path, " → "); err.Error() != want {
			t.Errorf("%s: %q, want %q", c.model, err, want)
		}
	}
}

// TestLongCycle tells both ends of a cycle of 1000 variables, and its whole path as data.
func TestLongCycle(t *testing.T) {
	for _, n := range []int{19, 20, 1000} {
		names, parents := make([]string, n), make([][]int, n)
		for v := range n {
			names[v], parents[v] = fmt.Sprintf("v%d", v), []int{(v + n - 1) % n}
		}
		_, err := NewDAG(names, parents)
		var cycle *CycleError
		if !errors.As(err, &cycle) || len(cycle.Path) != n+1 {
			t.Fatalf("%d variables: %v", n, err)
		}
		said := strings.Split(strings.TrimPrefix(err.Error(), "bn: the arcs form a cycle: "), " → ")
		if n+1 <= 20 {
			if !slices.Equal(said, cycle.Path) {
				t.Errorf("%d variables: %v", n, err)
			}
			continue
		}
		if len(said) != 21 || said[0] != cycle.Path[0] || said[20] != said[0] || said[9] != cycle.Path[9] ||
			said[11] != cycle.Path[n-9] || said[10] != fmt.Sprintf("(%d more)", n-19) {
			t.Errorf("%d variables: %v", n, err)
		}
	}
}

func TestNewDAGErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		names   []string
		parents [][]int
		is      error
		message string
	}{
		{"lengths", []string{"A"}, nil, nil, "0 lists of parents for 1 variables"},
		{"no name", []string{"A", ""}, [][]int{nil, nil}, nil, "variable 2 has no name"},
		{"twice", []string{"A", "A"}, [][]int{nil, nil}, ErrDuplicate, `variable "A" occurs twice`},
		{"parent out of range", []string{"A"}, [][]int{{1}}, ErrUnknownVariable, `parent number 1 of "A"`},
		{"parent negative", []string{"A"}, [][]int{{-1}}, ErrUnknownVariable, `parent number -1 of "A"`},
		{"parent twice", []string{"A", "B"}, [][]int{nil, {0, 0}}, ErrDuplicate,
			`"A" is named twice as a parent of "B"`},
	} {
		if _, err := NewDAG(c.names, c.parents); err == nil || !strings.Contains(err.Error(), c.message) ||
			c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want one with %q that wraps %v", c.name, err, c.message, c.is)
		}
	}
}

func TestNewDAGCopies(t *testing.T) {
	names, parents := []string{"A", "B"}, [][]int{nil, {0}}
	g, err := NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	names[0], parents[1][0] = "X", 7
	if g.Name(0) != "A" || g.Parents(1)[0] != 0 {
		t.Errorf("the graph changed with its input: %s", g)
	}
}

func TestIndexUnknown(t *testing.T) {
	g, err := ParseDAG("[A][B]")
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Index("b")
	if want := `bn: unknown variable "b" (there are: A, B)`; !errors.Is(err, ErrUnknownVariable) ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	var model strings.Builder
	for v := range 500 {
		fmt.Fprintf(&model, "[variable%d]", v)
	}
	if g, err = ParseDAG(model.String()); err != nil {
		t.Fatal(err)
	}
	if _, err = g.Index("b"); len(err.Error()) > 500 || !strings.Contains(err.Error(), "variable0, variable1, ") ||
		!strings.Contains(err.Error(), "480 more") {
		t.Errorf("the error of a network of 500 variables has %d bytes: %v", len(err.Error()), err)
	}
}

// drawDAG draws a graph over up to n variables whose names a model string can hold.
func drawDAG(t *rapid.T, n int) *DAG {
	name := rapid.StringMatching(`[a-z#é"*(,-]( ?[a-z0-9.]){0,3}`)
	names := rapid.SliceOfNDistinct(name, 1, n, rapid.ID[string]).Draw(t, "names")
	numbers := make([]int, len(names))
	for v := range numbers {
		numbers[v] = v
	}
	order := rapid.Permutation(numbers).Draw(t, "order")
	parents := make([][]int, len(names))
	for i, v := range order {
		for _, p := range rapid.Permutation(order[:i]).Draw(t, "candidates") {
			if rapid.Bool().Draw(t, "arc") {
				parents[v] = append(parents[v], p)
			}
		}
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestModelStringReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawDAG(t, 8)
		again, err := ParseDAG(g.String())
		if err != nil {
			t.Fatalf("%v in %s", err, g)
		}
		if again.String() != g.String() {
			t.Fatalf("%s reads back as %s", g, again)
		}
		for v := range g.Len() {
			if g.Name(v) != again.Name(v) || !slices.Equal(g.Parents(v), again.Parents(v)) ||
				!slices.Equal(g.Children(v), again.Children(v)) {
				t.Fatalf("%s reads back with another family of %s", g, g.Name(v))
			}
		}
	})
}

// TestOrder checks the order against its definition: at each place the earliest
// variable whose parents have come.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawDAG(t, 8)
		come := make([]bool, g.Len())
		for i, got := range g.Order() {
			for v := range g.Len() {
				ready := !come[v]
				for _, p := range g.Parents(v) {
					ready = ready && come[p]
				}
				if ready {
					if v != got {
						t.Fatalf("place %d of the order of %s is %d, want %d", i, g, got, v)
					}
					break
				}
			}
			come[got] = true
		}
		if len(g.Order()) != g.Len() {
			t.Fatalf("order %v of %s", g.Order(), g)
		}
	})
}

// TestCyclesAreReal draws any graph: it is acyclic, or the path it reports is one.
func TestCyclesAreReal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		names := make([]string, n)
		parents := make([][]int, n)
		for v := range n {
			names[v] = string(rune('A' + v))
			parents[v] = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, 2, rapid.ID[int]).Draw(t, "parents")
		}
		_, err := NewDAG(names, parents)
		var cycle *CycleError
		if err == nil {
			return
		} else if !errors.As(err, &cycle) {
			t.Fatal(err)
		}
		path := cycle.Path
		if len(path) < 2 || path[0] != path[len(path)-1] {
			t.Fatalf("path %v is not closed", path)
		}
		for i, name := range path[1:] {
			child, parent := slices.Index(names, name), slices.Index(names, path[i])
			if !slices.Contains(parents[child], parent) {
				t.Fatalf("path %v: %s is no parent of %s", path, path[i], name)
			}
		}
		if inner := slices.Sorted(slices.Values(path[1:])); len(slices.Compact(inner)) != len(path)-1 {
			t.Fatalf("path %v meets a variable twice", path)
		}
	})
}

func FuzzParseDAG(f *testing.F) {
	for _, s := range []string{"", "[A]", "[A][B|A:C][C]", "[A|A]", "[A|B][B|A]", " [ é ] [b|é]", "[A||B]", "[[", "]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		g, err := ParseDAG(model)
		if err != nil {
			return
		}
		again, err := ParseDAG(g.String())
		if err != nil || again.String() != g.String() {
			t.Fatalf("%q reads as %q, which reads back as %v, %v", model, g, again, err)
		}
	})
}
