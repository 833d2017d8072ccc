package structure

import (
	"math"
	"slices"
	"testing"
)

// Over {0} alone the best order is known and begins with 0; with 1 before 0 the graph is better by 5. Variable 2
// has no list yet, and the required parent 0.
func TestSoFarExchangesNeighbours(t *testing.T) {
	lists := [][]local{{{1 << 1, -4}, {0, -10}}, {{1 << 0, -9}, {0, -10}}, nil}
	found := soFar(lists, []uint8{noSink, 0}, 2, [][]int{nil, nil, {0}})
	if found == nil || found.Score != -14 || found.Moves != 2 || !slices.EqualFunc(found.Parents, [][]int{{1}, {},
		{0}}, slices.Equal) {
		t.Errorf("%+v", found)
	}
	// Where 1 may not stand without 0 nothing is exchanged.
	lists[1] = lists[1][:1]
	if found := soFar(lists, nil, 1, make([][]int, 3)); found == nil || found.Score != -19 {
		t.Errorf("%+v", found)
	}
	if found := soFar(make([][]local, 3), nil, 1, make([][]int, 3)); found != nil {
		t.Errorf("of no families: %+v", found)
	}
	if found := soFar([][]local{{{1 << 1, math.Inf(-1)}}, {{1 << 0, -1}}}, nil, 1, make([][]int, 2)); found != nil {
		t.Errorf("no order: %+v", found)
	}
}
