package hierarchy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/hierarchy"
)

// figure1 is the trellis of B06 Figure 1, as far as §2.2 tells it.
func figure1(t testing.TB) *hierarchy.Hierarchy {
	t.Helper()
	h, err := hierarchy.New([]string{"X6", "X7", "X8", "X9"},
		hierarchy.Composite{Name: "X1", Of: []string{"X3"}},
		hierarchy.Composite{Name: "X2", Of: []string{"X4", "X5"}},
		hierarchy.Composite{Name: "X3", Of: []string{"X6", "X7"}},
		hierarchy.Composite{Name: "X4", Of: []string{"X8"}},
		hierarchy.Composite{Name: "X5", Of: []string{"X9"}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHierarchyLevels(t *testing.T) {
	h := figure1(t)
	if got := strings.Join(h.Names(), " "); got != "X1 X2 X3 X4 X5 X6 X7 X8 X9" {
		t.Errorf("names %s", got)
	}
	for level, want := range []string{"X1 X2", "X3 X4 X5", "X6 X7 X8 X9"} {
		if got := names(h, h.Level(level+1)); got != want {
			t.Errorf("level %d: %s, want %s", level+1, got, want)
		}
	}
	x2, err := h.Index("X2")
	if err != nil {
		t.Fatal(err)
	}
	if got := names(h, h.Below(x2)); got != "X4 X5" {
		t.Errorf("below X2: %s", got)
	}
	if got := strings.Join(h.Atomic(), " "); got != "X6 X7 X8 X9" {
		t.Errorf("atomic: %s", got)
	}
	if notes := h.Notes(); len(notes) != 3 { // X1, X4 and X5
		t.Errorf("notes %q", notes)
	}
	if _, err := h.Index("X10"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("Index(X10): %v", err)
	}
}

// A node below two composites of different levels is below the lower one.
func TestHierarchyTrellis(t *testing.T) {
	h, err := hierarchy.New([]string{"a", "b"},
		hierarchy.Composite{Name: "low", Of: []string{"a"}},
		hierarchy.Composite{Name: "top", Of: []string{"low", "a", "b"}},
		hierarchy.Composite{Name: "side", Of: []string{"low"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(h.Names(), " "); got != "top side b low a" || h.Levels() != 3 {
		t.Errorf("names %s in %d levels", got, h.Levels())
	}
	a, _ := h.Index("a")
	if got := names(h, h.Above(a)); got != "top low" {
		t.Errorf("above a: %s", got)
	}
	want := `hierarchy of 5 variables, 2 atomic; by level: 2, 2, 1
top
  b
  low (also in side)
    a (also in top)
  a
side
  low (see above)
`
	if got := h.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestHierarchyErrors(t *testing.T) {
	type c = hierarchy.Composite
	for _, test := range []struct {
		name       string
		atomic     []string
		composites []hierarchy.Composite
		is         error
		text       string
	}{
		{"nothing", nil, nil, nil, "needs atomic variables"},
		{"no name", []string{"a", ""}, nil, nil, "without a name"},
		{"twice", []string{"a", "a"}, nil, bn.ErrDuplicate, `"a"`},
		{"both", []string{"a"}, []c{{"a", []string{"a"}}}, bn.ErrDuplicate, "composite"},
		{"contained twice", []string{"a"}, []c{{"b", []string{"a", "a"}}}, bn.ErrDuplicate, `"b"`},
		{"unknown", []string{"a"}, []c{{"b", []string{"a", "x"}}}, bn.ErrUnknownVariable, `"x" in composite "b"`},
		{"empty composite", []string{"a"}, []c{{"b", []string{"a"}}, {"c", nil}}, nil, `"c" is empty`},
		{"on no leaf", []string{"a", "z"}, []c{{"b", []string{"a"}}}, nil, `"z" is in no composite`},
		{"cycle", []string{"a"}, []c{{"b", []string{"c", "a"}}, {"c", []string{"d"}}, {"d", []string{"b"}}}, nil,
			"contain each other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := hierarchy.New(test.atomic, test.composites...)
			if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v", err)
			}
		})
	}
	_, err := hierarchy.New([]string{"a"}, c{"b", []string{"c", "a"}}, c{"c", []string{"b"}})
	var cycle *bn.CycleError
	if !errors.As(err, &cycle) || len(cycle.Path) != 3 {
		t.Errorf("the cycle's path: %v", err)
	}
}

// names joins the names of variables.
func names(h *hierarchy.Hierarchy, vars []int) string {
	out := make([]string, len(vars))
	for i, v := range vars {
		out[i] = h.Names()[v]
	}
	return strings.Join(out, " ")
}

// number returns the numbers of names.
func number(t testing.TB, h *hierarchy.Hierarchy, names ...string) []int {
	t.Helper()
	out := make([]int, len(names))
	for i, name := range names {
		v, err := h.Index(name)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v
	}
	slices.Sort(out)
	return out
}
