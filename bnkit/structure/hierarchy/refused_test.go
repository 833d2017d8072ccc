package hierarchy_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
)

func TestNilNames(t *testing.T) {
	if names := (*hierarchy.Hierarchy)(nil).Names(); names != nil {
		t.Errorf("a nil hierarchy has the names %v", names)
	}
}

// flat is a hierarchy of a and b alone.
func flat(t *testing.T) *hierarchy.Hierarchy {
	t.Helper()
	h, err := hierarchy.New([]string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Results say what became of the cases.
func TestNotesOfTheCases(t *testing.T) {
	pairs := parsed(t, "a[0],b[0],a[1],b[1]\nx,u,y,u\ny,u,,u\nx,u,x,u\ny,u,x,u\n")
	found, err := flat(t).Learn(context.Background(), pairs, structure.BIC{}, nil,
		&structure.Settings{Missing: structure.CompleteCases})
	if err != nil {
		t.Fatal(err)
	}
	const constant, left = `note: column "b[1]" has one value only`, `1 for "a[1]"`
	if got := found.String(); !strings.Contains(got, constant) || !strings.Contains(got, left) {
		t.Errorf("nothing is said of a constant column or of a row left out:\n%s", got)
	}
}

// Required arcs that use up the limit leave no room for better parents.
func TestRequiredArcsFillTheLimit(t *testing.T) {
	// each keeps its value
	pairs := parsed(t, "a[0],b[0],a[1],b[1]\n"+strings.Repeat("x,x,x,x\nx,y,x,y\ny,x,y,x\ny,y,y,y\n", 10))
	set := &structure.Settings{Rules: &structure.Rules{MaxParents: 1,
		Required: []structure.Arc{{From: "b[0]", To: "a[1]"}}}}
	for _, how := range []hierarchy.Search{hierarchy.FamilyWise{}, hierarchy.FamilyWise{Relaxed: true},
		hierarchy.ParentWise{}, hierarchy.Prior{Alpha: 1}} {
		r, err := flat(t).Learn(context.Background(), pairs, structure.BIC{}, how, set)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Links; !slices.Equal(got[0], []int{1}) || !slices.Equal(got[1], []int{1}) {
			t.Errorf("%v: parents %v", how, got)
		}
	}
}

// Required arcs that a search between slices cannot have are refused, not left out.
func TestRequiredArcsBetweenSlices(t *testing.T) {
	pairs := parsed(t, "a[0],b[0],a[1],b[1]\n"+strings.Repeat("x,x,x,x\nx,y,x,y\ny,x,y,x\ny,y,y,y\n", 3))
	for _, arc := range []structure.Arc{{From: "a[0]", To: "b[0]"}, {From: "a[1]", To: "b[0]"}} {
		set := &structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{arc}}}
		_, err := flat(t).Learn(context.Background(), pairs, structure.BIC{}, nil, set)
		var rule *structure.RuleError
		if !errors.As(err, &rule) || rule.Arc != arc {
			t.Errorf("%v: %v", arc, err)
		}
	}
}
