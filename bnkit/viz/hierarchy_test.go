package viz_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

// plainHierarchy is a hierarchy written out.
type plainHierarchy struct {
	names  []string
	levels []int
	above  [][]int
}

func (h plainHierarchy) Names() []string   { return h.names }
func (h plainHierarchy) LevelOf(v int) int { return h.levels[v] }
func (h plainHierarchy) Above(v int) []int { return h.above[v] }

// balanced is the tree of B06 §3.1: 3, 9 and 45 variables.
func balanced() plainHierarchy {
	var h plainHierarchy
	add := func(name string, level int, above ...int) int {
		h.names, h.levels, h.above = append(h.names, name), append(h.levels, level), append(h.above, above)
		return len(h.names) - 1
	}
	for range 3 {
		add(fmt.Sprint("X", len(h.names)+1), 1)
	}
	for v := range 9 {
		add(fmt.Sprint("X", len(h.names)+1), 2, v/3)
	}
	for v := range 45 {
		add(fmt.Sprint("X", len(h.names)+1), 3, 3+v/5)
	}
	return h
}

func figure1() (*viz.Figure, error) {
	h := plainHierarchy{
		names:  []string{"X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9"},
		levels: []int{1, 1, 2, 2, 2, 3, 3, 3, 3},
		above:  [][]int{nil, nil, {0}, {1}, {1}, {2}, {2}, {3}, {4}},
	}
	// X1 → X2, X3 → X4, X6 → X8 of B06 §2.2, X3 → X9 of its Figure 1d, and X2 upon itself.
	return viz.Hierarchy(h, [][]int{nil, {0, 1}, nil, {2}, nil, nil, nil, {5}, {2}},
		&viz.HierarchyOptions{Title: "B06 Figure 1"})
}

func largeHierarchy() (*viz.Figure, error) {
	h := balanced()
	rng := rand.New(rand.NewPCG(1, 0))
	parents := make([][]int, len(h.names))
	for range 25 {
		v := rng.IntN(len(parents))
		parents[v] = append(parents[v], rng.IntN(len(parents)))
	}
	return viz.Hierarchy(h, parents, nil)
}

// againstTruth has two right arcs, a wrong one and a missing one.
func againstTruth() (*viz.Figure, error) {
	h := balanced()
	found, truth := make([][]int, len(h.names)), make([][]int, len(h.names))
	found[20], truth[20] = []int{0, 4}, []int{0, 4}
	found[30], truth[40] = []int{50}, []int{1}
	return viz.Hierarchy(h, found, &viz.HierarchyOptions{Truth: truth})
}

// longNames are of variables that stand side by side and differ at the end only.
func longNames() (*viz.Figure, error) {
	h := plainHierarchy{names: []string{"Temporal Lobe"}, levels: []int{1}, above: [][]int{nil}}
	for k := range 16 {
		h.names = append(h.names, fmt.Sprint("Left Middle Temporal Gyrus; temporooccipital part ", k+1))
		h.levels, h.above = append(h.levels, 2), append(h.above, []int{0})
	}
	return viz.Hierarchy(h, make([][]int, 17), nil)
}

func TestHierarchy(t *testing.T) {
	for name, test := range map[string]struct {
		make func() (*viz.Figure, error)
		text []string
	}{
		"figure1": {figure1, []string{"B06 Figure 1", "X9", "level 3", "arc between levels"}},
		"truth":   {againstTruth, []string{"X57", "in both: 2", "missing: 1", "extra: 1"}},
		"large":   {largeHierarchy, []string{"X57", "level 1"}},
		"upright": {longNames, []string{"Left Middle Temporal Gyrus; temporooccipital part 1",
			"Left Middle Temporal Gyrus; temporooccipital part 16"}},
	} {
		t.Run(name, func(t *testing.T) { checkPicture(t, "hierarchy-"+name, test.make, test.text...) })
	}
}

func TestHierarchyErrors(t *testing.T) {
	two := plainHierarchy{names: []string{"a", "b"}, levels: []int{1, 2}, above: [][]int{nil, {0}}}
	for _, tt := range []struct {
		name    string
		h       viz.Leveled
		parents [][]int
		want    string
	}{
		{"nil", nil, nil, "no variables"},
		{"lengths", two, [][]int{nil}, "1 lists of parents for 2"},
		{"no such parent", two, [][]int{nil, {2}}, `parent number 2 of "b"`},
		{"level", plainHierarchy{two.names, []int{0, 1}, two.above}, [][]int{nil, nil}, `"a" has the level 0`},
		{"order", plainHierarchy{two.names, []int{1, 1}, two.above}, [][]int{nil, nil}, `"a" is not above "b"`},
		{"no such part", plainHierarchy{two.names, two.levels, [][]int{nil, {7}}}, [][]int{nil, nil},
			`"7" is not above "b"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := viz.Hierarchy(tt.h, tt.parents, nil)
			wantError(t, err, tt.want)
		})
	}
}

func TestHierarchyTruthErrors(t *testing.T) {
	two := plainHierarchy{names: []string{"a", "b"}, levels: []int{1, 2}, above: [][]int{nil, {0}}}
	for want, truth := range map[string][][]int{"Truth has 1 lists": {nil}, `number 2 of "b"`: {nil, {2}}} {
		_, err := viz.Hierarchy(two, [][]int{nil, nil}, &viz.HierarchyOptions{Truth: truth})
		wantError(t, err, want)
	}
}

func ExampleHierarchy() {
	fig, err := figure1() // viz.Hierarchy(h, found.Links, …) with a *hierarchy.Hierarchy
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.TrimSpace(fig.Title()))
	// Output:
	// B06 Figure 1
}
