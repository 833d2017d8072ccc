package hierarchy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/hierarchy"
)

// X7 → X9 in B06 Figure 1: neither assumption lets it be in 1b; 1c needs X3 → X5, 1d X3 → X9.
func TestFigure1(t *testing.T) {
	h := figure1(t)
	links := func(arcs ...string) hierarchy.Links {
		l := make(hierarchy.Links, h.Len())
		for _, arc := range arcs {
			ends := number(t, h, strings.Split(arc, " ")...)
			if strings.Split(arc, " ")[0] != h.Names()[ends[0]] {
				slices.Reverse(ends)
			}
			l[ends[1]] = append(l[ends[1]], ends[0])
		}
		return l
	}
	x7, x9 := number(t, h, "X7")[0], number(t, h, "X9")[0]
	for _, test := range []struct {
		rule  hierarchy.Rule
		links hierarchy.Links
		want  bool
	}{
		{hierarchy.FamilyWise{}, links("X1 X2", "X3 X4", "X6 X8"), false},
		{hierarchy.FamilyWise{}, links("X3 X5"), true},
		{hierarchy.FamilyWise{}, links("X3 X9"), false},
		{hierarchy.FamilyWise{Relaxed: true}, links("X1 X2", "X3 X4", "X6 X8"), false},
		{hierarchy.FamilyWise{Relaxed: true}, links("X3 X5"), true},
		{hierarchy.ParentWise{}, links("X1 X2", "X3 X4", "X6 X8"), false},
		{hierarchy.ParentWise{}, links("X3 X5"), false},
		{hierarchy.ParentWise{}, links("X3 X9"), true},
		{hierarchy.ParentWise{}, links("X1 X9"), false}, // X1 is above X3, not above X7
	} {
		if got := test.rule.Allows(h, test.links, x7, x9); got != test.want {
			t.Errorf("%T with %v: X7 → X9 %v, want %v", test.rule, test.links, got, test.want)
		}
	}
	// X5 as a parent of X9 is its h-parent, X9 of X5 its h-child; X4 and X3 are of another level.
	for _, test := range []struct {
		from, to                     string
		family, relaxed, narrow, own bool
	}{
		{"X5", "X9", false, true, true, false},
		{"X9", "X5", false, true, true, false},
		{"X4", "X9", false, false, false, false},
		{"X1", "X9", false, true, false, true}, // X1 has no h-parents: I = 1
		{"X9", "X2", false, true, false, false},
		{"X2", "X1", true, true, true, true},
		{"X1", "X1", true, true, true, true},
	} {
		i, j := number(t, h, test.from)[0], number(t, h, test.to)[0]
		none := make(hierarchy.Links, h.Len())
		got := []bool{
			hierarchy.FamilyWise{}.Allows(h, none, i, j), hierarchy.FamilyWise{Relaxed: true}.Allows(h, none, i, j),
			hierarchy.FamilyWise{Relaxed: true, SameLevel: true}.Allows(h, none, i, j),
			hierarchy.ParentWise{}.Allows(h, none, i, j),
		}
		if want := []bool{test.family, test.relaxed, test.narrow, test.own}; !slices.Equal(got, want) {
			t.Errorf("%s → %s: family-wise, relaxed, narrow, parent-wise %v, want %v", test.from, test.to, got, want)
		}
	}
	// By hand: X7 → X9 and X3 → X4 break the family-wise rule, as X3 → X5 and X1 → X2 are not there.
	l := links("X7 X9", "X3 X4", "X2 X1", "X1 X6", "X5 X9")
	for _, test := range []struct {
		rule hierarchy.Rule
		want int
	}{
		{hierarchy.FamilyWise{}, 4},              // also X1 → X6 and X5 → X9, across levels
		{hierarchy.FamilyWise{Relaxed: true}, 2}, // X1 has no h-parents, X5 is X9's
		{hierarchy.ParentWise{}, 3},              // X7 → X9 without X3, X3 → X4 without X1, X5 → X9 without X2
	} {
		if got := h.Violations(test.rule, l); got != test.want {
			t.Errorf("%T: %d violations, want %d", test.rule, got, test.want)
		}
	}
	if got := names(h, h.Legal(hierarchy.ParentWise{}, links("X3 X9"), x9)); got != "X1 X2 X6 X7" {
		t.Errorf("legal parents of X9 given X3: %s", got)
	}
}

func TestHierarchyLinks(t *testing.T) {
	h := figure1(t)
	for _, of := range [][]string{{"X7", "X3", "X9"}, {"X7[0]", "X3[0]", "X9[1]"}} {
		g, err := bn.NewDAG(of, [][]int{nil, nil, {0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		links, err := h.Links(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(h, links[number(t, h, "X9")[0]]); got != "X3 X7" {
			t.Errorf("%s: parents %s", g, got)
		}
	}
	within, err := bn.NewDAG([]string{"X7[1]", "X9[1]"}, [][]int{nil, {0}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Links(within); err == nil || !strings.Contains(err.Error(), "X7[1] → X9[1]") {
		t.Errorf("arc within a slice: %v", err)
	}
	other, err := bn.NewDAG([]string{"Y"}, [][]int{nil})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Links(other); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("unknown variable: %v", err)
	}
}
