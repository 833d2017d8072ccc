package viz_test

import (
	"fmt"
	"testing"

	"bnlab/bnkit/viz"
)

// comparedMatrix has two right arcs, a wrong one and a missing one, and is one of two under one legend.
func comparedMatrix() (*viz.Figure, error) {
	h := balanced()
	found, truth := make([][]int, len(h.names)), make([][]int, len(h.names))
	found[20], truth[20] = []int{0, 4}, []int{0, 4}
	found[30], truth[40] = []int{50}, []int{1}
	var both [2]*viz.Figure
	for i, links := range [][][]int{found, truth} {
		var err error
		if both[i], err = viz.HierarchyMatrix(h, links, &viz.HierarchyOptions{Truth: truth,
			Title: fmt.Sprint("search ", i+1)}); err != nil {
			return nil, err
		}
	}
	return viz.Row(both[:]...)
}

// houseMatrix is small enough for the names of all variables, and has an arc from a variable to itself.
func houseMatrix() (*viz.Figure, error) {
	h := plainHierarchy{names: []string{"down", "up", "kitchen", "lounge", "bedroom", "oven", "sofa", "bed"},
		levels: []int{1, 1, 2, 2, 2, 3, 3, 3}, above: [][]int{nil, nil, {0}, {0}, {1}, {2}, {3}, {4}}}
	return viz.HierarchyMatrix(h, [][]int{nil, {2}, nil, nil, {2, 4}, nil, nil, {5}}, nil)
}

func TestHierarchyMatrix(t *testing.T) {
	checkGolden(t, "hierarchymatrix", comparedMatrix, "X51 → X31: extra")
	if testing.Short() {
		return
	}
	checkPicture(t, "hierarchymatrix-house", houseMatrix, "arcs: 4", "kitchen → bedroom", "bedroom → bedroom", "lounge")
}

func TestHierarchyMatrixErrors(t *testing.T) {
	two := plainHierarchy{names: []string{"a", "b"}, levels: []int{1, 2}, above: [][]int{nil, {0}}}
	_, err := viz.HierarchyMatrix(two, [][]int{nil, {2}}, nil)
	wantError(t, err, `parent number 2 of "b"`)
	_, err = viz.HierarchyMatrix(two, [][]int{nil, nil}, &viz.HierarchyOptions{Truth: [][]int{nil}})
	wantError(t, err, "Truth has 1 lists")
}

func ExampleHierarchyMatrix() {
	h := plainHierarchy{names: []string{"brain", "left", "right"}, levels: []int{1, 2, 2},
		above: [][]int{nil, {0}, {0}}}
	found, truth := [][]int{nil, {2}, {1}}, [][]int{nil, {2}, nil} // by child; h may be a *hierarchy.Hierarchy
	fig, err := viz.HierarchyMatrix(h, found, &viz.HierarchyOptions{Title: "one arc too many", Truth: truth})
	if err != nil {
		panic(err)
	}
	fmt.Println(fig.Title())
	// Output:
	// one arc too many
}
