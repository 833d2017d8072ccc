package hierarchy_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/structure/hierarchy"
)

func TestNetworks(t *testing.T) {
	w := newWorld(t, 3, 5)
	r := w.learn(hierarchy.FamilyWise{Relaxed: true}, nil)
	two, err := r.Network()
	if err != nil {
		t.Fatal(err)
	}
	if got := two.DAG().Arcs(); got != strings.Count(strings.Join(parentNames(r), " "), "←") {
		t.Errorf("%d arcs in the network of both slices", got)
	}
	net, err := r.DynamicNetwork()
	if err != nil {
		t.Fatal(err)
	}
	back, err := w.h.Links(net.Template().DAG())
	if err != nil {
		t.Fatal(err)
	}
	for j := range back {
		if !slices.Equal(back[j], r.Links[j]) {
			t.Errorf("parents %v in the dynamic network, found %v", back[j], r.Links[j])
		}
	}
	static := learnStatic(t, w.h, 1, nil, nil, nil)
	if _, err := static.DynamicNetwork(); err == nil {
		t.Error("the dynamic network of a static one: no error")
	}
	for _, text := range []string{"RFW-Hier", "BDeu", "level 1: ", " exhaustive", "0 break the assumption", "c00 ← "} {
		if !strings.Contains(r.String(), text) {
			t.Errorf("no %q in\n%s", text, r)
		}
	}
}

// parentNames has an arrow for each link.
func parentNames(r *hierarchy.Result) []string {
	var out []string
	for _, f := range r.Families {
		for _, p := range f.Parents {
			out = append(out, f.Child+"←"+p)
		}
	}
	return out
}

// noComposites is a rule of a user's own.
type noComposites struct{}

func (noComposites) Allows(h *hierarchy.Hierarchy, _ hierarchy.Links, parent, _ int) bool {
	return h.IsAtomic(parent)
}

func (noComposites) String() string { return "parents are atomic" }

// A user's own rule has no search of its own; a large α finds the best atomic parents, and so does an
// infinite one.
func TestPriorOwnRule(t *testing.T) {
	w := newWorld(t, 4, 4)
	want := make(hierarchy.Links, w.h.Len())
	for j := range want {
		want[j] = w.best(j, all(w.h.Len()), func(set []int) bool {
			return !slices.ContainsFunc(set, func(i int) bool { return !w.h.IsAtomic(i) })
		})
	}
	for _, alpha := range []float64{1e300, math.Inf(1)} {
		r := w.learn(hierarchy.Prior{Rule: noComposites{}, Alpha: alpha}, nil)
		w.same("own rule", r.Links, want)
		if r.Violations != 0 {
			t.Errorf("%d violations", r.Violations)
		}
	}
}
