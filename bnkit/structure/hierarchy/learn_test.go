package hierarchy_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/numtest"
)

var bdeu = structure.BDeu{EquivalentSampleSize: 5}

// randomHierarchy makes a trellis of two or three levels, with up to two h-parents for each part.
func randomHierarchy(t testing.TB, rng *rand.Rand, atomic int) *hierarchy.Hierarchy {
	t.Helper()
	leaves := make([]string, atomic)
	for i := range leaves {
		leaves[i] = fmt.Sprint("a", i)
	}
	var composites []hierarchy.Composite
	below := leaves
	for level := range 1 + rng.IntN(2) {
		of := make([][]string, 2+rng.IntN(2))
		for _, name := range below {
			k := rng.IntN(len(of))
			of[k] = append(of[k], name)
			if other := rng.IntN(len(of)); other != k && rng.IntN(3) == 0 {
				of[other] = append(of[other], name)
			}
		}
		below = nil
		for k, parts := range of {
			if len(parts) > 0 {
				name := fmt.Sprintf("c%d%d", level, k)
				composites, below = append(composites, hierarchy.Composite{Name: name, Of: parts}), append(below, name)
			}
		}
	}
	h, err := hierarchy.New(leaves, composites...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// randomPairs makes pairs of slices in which each variable depends on two of the slice before.
func randomPairs(t testing.TB, rng *rand.Rand, names []string, rows int) *data.Table {
	t.Helper()
	n := len(names)
	cols := make([]data.Column, 2*n)
	for v, name := range names {
		for slice := range 2 {
			cols[2*v+slice] = data.Column{Var: bn.Discrete(dbn.At(name, slice), "low", "high"),
				States: make([]bn.State, rows)}
		}
		for row := range rows {
			cols[2*v].States[row] = bn.State(rng.IntN(2))
		}
	}
	for v := range names {
		a, b := rng.IntN(n), rng.IntN(n)
		for row := range rows {
			p := 0.15 + 0.3*float64(cols[2*a].States[row]) + 0.35*float64(cols[2*b].States[row])
			if rng.Float64() < p {
				cols[2*v+1].States[row] = 1
			}
		}
	}
	return columns(t, cols...)
}

// seeds are fewer in a short run.
func seeds(n uint64) uint64 {
	if !numtest.Full() {
		return n / 4
	}
	return n
}

// world is a hierarchy, cases, and their scores by numbers of the hierarchy.
type world struct {
	t      testing.TB
	h      *hierarchy.Hierarchy
	s      *structure.Scorer
	scored map[string]float64
}

func newWorld(t testing.TB, seed uint64, atomic int) world {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	h := randomHierarchy(t, rng, atomic)
	names := slices.Clone(h.Names())
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	s, err := structure.NewScorer(randomPairs(t, rng, names, 150), bdeu, nil)
	if err != nil {
		t.Fatal(err)
	}
	return world{t, h, s, make(map[string]float64)}
}

func (w world) column(v, slice int) int {
	return slices.IndexFunc(w.s.Variables(),
		func(x bn.Variable) bool { return x.Name == dbn.At(w.h.Names()[v], slice) })
}

// score is that of the parents of j, by numbers of the hierarchy.
func (w world) score(j int, parents []int) float64 {
	w.t.Helper()
	key := fmt.Sprint(j, parents)
	if x, ok := w.scored[key]; ok {
		return x
	}
	var set []int
	for _, p := range parents {
		set = append(set, w.column(p, 0))
	}
	x, err := w.s.Family(context.Background(), w.column(j, 1), set)
	if err != nil {
		w.t.Fatal(err)
	}
	w.scored[key] = x
	return x
}

// best tries all subsets of candidates.
func (w world) best(j int, candidates []int, allowed func(set []int) bool) []int {
	w.t.Helper()
	var sets, columns [][]int
	for mask := range 1 << len(candidates) {
		var set, cols []int
		for k, c := range candidates {
			if mask>>k&1 == 1 {
				set, cols = append(set, c), append(cols, w.column(c, 0))
			}
		}
		if allowed(set) {
			sets, columns = append(sets, set), append(columns, cols)
		}
	}
	scores, err := w.s.Families(context.Background(), w.column(j, 1), columns)
	if err != nil {
		w.t.Fatal(err)
	}
	best := 0
	for k, x := range scores {
		if x > scores[best]+1e-9 || math.Abs(x-scores[best]) <= 1e-9 && len(sets[k]) < len(sets[best]) {
			best = k
		}
	}
	return sets[best]
}

// hasLink is B06's indicator, written from the text a second time: is any of from a parent of any of to?
func hasLink(links hierarchy.Links, from, to []int) bool {
	if len(from) == 0 || len(to) == 0 {
		return true
	}
	for _, a := range from {
		for _, b := range to {
			for _, p := range links[b] {
				if p == a {
					return true
				}
			}
		}
	}
	return false
}

func (w world) learn(how hierarchy.Search, set *structure.Settings) *hierarchy.Result {
	w.t.Helper()
	r, err := w.h.LearnFrom(context.Background(), w.s, how, set)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w world) same(name string, got, want hierarchy.Links) {
	w.t.Helper()
	for j := range want {
		if !slices.Equal(got[j], want[j]) && math.Abs(w.score(j, got[j])-w.score(j, want[j])) > 1e-9 {
			w.t.Errorf("%s: parents of %s: %s, want %s", name, w.h.Names()[j], names(w.h, got[j]), names(w.h, want[j]))
		}
	}
}

func TestLearnResult(t *testing.T) {
	w := newWorld(t, 3, 6)
	for _, how := range []hierarchy.Search{nil, hierarchy.FamilyWise{}, hierarchy.FamilyWise{Relaxed: true},
		hierarchy.ParentWise{Parents: 1}} {
		var last structure.Progress
		one := w.learn(how, &structure.Settings{Workers: 1, Progress: func(p structure.Progress) { last = p }})
		many := w.learn(how, &structure.Settings{Workers: 4})
		if !reflect.DeepEqual(one, many) {
			t.Errorf("%v: other results with other workers", how)
		}
		if last.Done != 1 {
			t.Errorf("%v: progress ended at %v", how, last)
		}
		total, searches := 0.0, 0
		for j, f := range one.Families {
			numtest.Close(t, f.Score, w.score(j, one.Links[j]), 0, 1e-12)
			total += f.Score
		}
		numtest.Close(t, one.Score, total, 0, 1e-12)
		for _, p := range one.Passes {
			if n := p.Families; len(p.By) != 1 || p.By["exhaustive"] != n || p.Scored < n {
				t.Errorf("%v: pass %+v", how, p)
			}
			searches += p.Families
		}
		want := w.h.Len()
		if _, ok := how.(hierarchy.ParentWise); ok || how == nil {
			want *= w.h.Levels() + 1
		}
		if searches != want {
			t.Errorf("%v: %d searches, want %d", how, searches, want)
		}
		back, err := w.h.Links(one.DAG)
		if err != nil {
			t.Fatal(err)
		}
		for j := range back {
			if !slices.Equal(back[j], one.Links[j]) {
				t.Errorf("%v: the graph has other links: %v, %v", how, back[j], one.Links[j])
			}
		}
	}
}

func TestLearnRules(t *testing.T) {
	w := newWorld(t, 5, 5)
	a, b := dbn.At("a0", 0), dbn.At("a1", 1)
	free := w.learn(nil, nil)
	var forbidden []structure.Arc
	for _, f := range free.Families {
		for _, p := range f.Parents {
			forbidden = append(forbidden, structure.Arc{From: dbn.At(p, 0), To: dbn.At(f.Child, 1)})
		}
	}
	for _, how := range []hierarchy.Search{hierarchy.FamilyWise{}, hierarchy.FamilyWise{Relaxed: true},
		hierarchy.ParentWise{}, hierarchy.ParentWise{Exactly: true}, hierarchy.Prior{Alpha: 1}} {
		r := w.learn(how, &structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{{From: a, To: b}},
			Forbidden: slices.DeleteFunc(slices.Clone(forbidden), func(x structure.Arc) bool {
				return x.From == a &&
					x.To == b
			}), MaxParents: 2}})
		for _, f := range r.Families {
			if len(f.Parents) > 2 {
				t.Errorf("%s: %s has parents %v", how, f.Child, f.Parents)
			}
			if f.Child == "a1" && !slices.Contains(f.Parents, "a0") {
				t.Errorf("%s: the required arc is not there", how)
			}
			for _, p := range f.Parents {
				arc := structure.Arc{From: dbn.At(p, 0), To: dbn.At(f.Child, 1)}
				if slices.Contains(forbidden, arc) && arc != (structure.Arc{From: a, To: b}) {
					t.Errorf("%s: forbidden %s", how, arc)
				}
			}
		}
	}
	// What is found beside a required parent is the best with it.
	for j := range w.h.Level(1) {
		for i := range w.h.Len() {
			arc := structure.Arc{From: dbn.At(w.h.Names()[i], 0), To: dbn.At(w.h.Names()[j], 1)}
			r := w.learn(hierarchy.FamilyWise{Relaxed: true},
				&structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{arc}}})
			want := r.Links[j]
			if best := w.best(j, all(w.h.Len()), func(set []int) bool { return slices.Contains(set, i) }); w.score(j,
				best) > w.score(j, want)+1e-9 {
				t.Errorf("with %s required: parents %s, better are %s", arc, names(w.h, want), names(w.h, best))
			}
		}
	}
	for name, rules := range map[string]*structure.Rules{
		"within a slice": {Required: []structure.Arc{{From: dbn.At("a0", 1), To: b}}},
		"start":          {Start: free.DAG},
		"unknown":        {Forbidden: []structure.Arc{{From: "a0", To: "a1"}}},
	} {
		if _, err := w.h.LearnFrom(context.Background(), w.s, nil,
			&structure.Settings{Rules: rules}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLearnErrors(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, 5, 5)
	rng := rand.New(rand.NewPCG(1, 1))
	h, err := hierarchy.New([]string{"a", "b"}, hierarchy.Composite{Name: "c", Of: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		names []string
		is    error
		text  string
	}{
		{"no composite", []string{"a", "b"}, bn.ErrUnknownVariable, "Aggregate"},
		{"on no leaf", []string{"a", "b", "c", "d"}, bn.ErrUnknownVariable, `"d[0]" is on no leaf`},
	} {
		_, err := h.Learn(ctx, randomPairs(t, rng, test.names, 10), bdeu, nil, nil)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for name, how := range map[string]hierarchy.Search{
		"parents": hierarchy.ParentWise{Parents: -1}, "α": hierarchy.Prior{Alpha: math.NaN()},
		"negative α": hierarchy.Prior{Alpha: -1},
		"too many":   hierarchy.FamilyWise{Relaxed: true, By: structure.Exhaustive{MaxSets: 3}},
	} {
		if _, err := w.h.LearnFrom(ctx, w.s, how, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := w.h.LearnFrom(ctx, nil, nil, nil); err == nil {
		t.Error("no scorer: no error")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := w.h.LearnFrom(done, w.s, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}
