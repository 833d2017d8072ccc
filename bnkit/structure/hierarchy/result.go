package hierarchy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// A Result is the links that a hierarchical search found and how.
type Result struct {
	Hierarchy *Hierarchy
	Links     Links                   // by number in the hierarchy, composites included
	Families  []structure.FamilyScore // by number in the hierarchy, by its names
	DAG       *bn.DAG                 // over the columns of the cases
	Variables []bn.Variable           // those of the columns, in the order of DAG
	Score     float64                 // the sum of Families, and the log prior under Prior
	ScoreName string                  // in words
	Search    string                  // in words
	// Passes say which search of parents was used for how many families.
	Passes []Pass
	// Violations is the number of links that break the search's assumption. It is 0 but for
	// ParentWise without Obedient, Prior, and required arcs.
	Violations int
	Dropped    []Dropped // by the repair of cycles
	Notes      []string
}

// A Pass counts the searches of parents in one pass over a level.
type Pass struct {
	What     string         // "level 2", "parents of level 2", "last pass"
	Families int            // searches of a child's parents
	Scored   int            // families that these looked at
	By       map[string]int // families by the search of parents, in words
}

// add counts one search.
func (l *Pass) add(found structure.Parents) {
	l.Families++
	l.Scored += found.Scored
	l.By[found.By]++
}

// String prints the counts in a line.
func (l Pass) String() string {
	var by []string
	for _, search := range slices.Sorted(maps.Keys(l.By)) {
		by = append(by, fmt.Sprintf("%d %s", l.By[search], search))
	}
	return fmt.Sprintf("%s: %d searches (%s), %d families scored", l.What, l.Families, strings.Join(by, ", "), l.Scored)
}

// report begins a pass.
func (r *run) report(what string) *Pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &Pass{What: what, By: make(map[string]int)}
	r.reports = append(r.reports, l)
	return l
}

// result scores the links that were found.
func (r *run) result(ctx context.Context, s *structure.Scorer, how Search, links Links) (*Result,
	error) {
	res := &Result{
		Hierarchy: r.h, Links: links, Variables: s.Variables(), Search: how.String(), ScoreName: s.ScoreName(),
		Violations: r.h.Violations(how.assumption(), links), Dropped: r.dropped, Notes: r.h.Notes(),
	}
	parents := make([][]int, len(r.variable))
	for j, set := range links {
		f := structure.FamilyScore{Child: r.h.names[j]}
		for _, i := range set {
			f.Parents = append(f.Parents, r.h.names[i])
		}
		parents[r.child[j]] = slices.Sorted(slices.Values(r.numbers(set)))
		var err error
		if f.Score, err = s.Family(ctx, r.child[j], parents[r.child[j]]); err != nil {
			return nil, err
		}
		res.Families = append(res.Families, f)
		res.Score += f.Score
	}
	if p, ok := how.(Prior); ok {
		res.Score += p.LogPrior(float64(res.Violations))
	}
	for _, l := range r.reports {
		res.Passes = append(res.Passes, *l)
	}
	switch {
	case r.order != nil:
		res.Search += ", arcs along an order"
	case r.static:
		res.Search += ", cycles repaired"
	}
	for _, d := range r.dropped {
		res.Notes = append(res.Notes, d.String())
	}
	about, err := s.Notes(ctx, parents)
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, about...)
	columns := make([]string, len(res.Variables))
	for v := range columns {
		columns[v] = res.Variables[v].Name
	}
	res.DAG, err = bn.NewDAG(columns, parents)
	return res, err
}

// Network returns the network of the graph over the columns with uniform tables, to be fitted.
func (r *Result) Network() (*bn.Network, error) { return bn.NewNetwork(r.DAG, r.Variables) }

// DynamicNetwork returns the dynamic network of the links, composites included, with uniform tables, to
// be fitted by [dbn.Fit]. It returns an error for a search of a static network, and for names that
// a model string cannot hold.
func (r *Result) DynamicNetwork() (*dbn.Network, error) {
	var model strings.Builder
	vars := make([]bn.Variable, len(r.Families))
	for j, f := range r.Families {
		v, err := r.DAG.Index(dbn.At(f.Child, 1))
		if err != nil {
			return nil, say.Errorf("hierarchy: the network is not a dynamic one: %w", err)
		}
		vars[j] = r.Variables[v]
		vars[j].Name = f.Child
		model.WriteString("[" + f.Child)
		for k, p := range f.Parents {
			model.WriteString([]string{"|", ":"}[min(k, 1)] + p + "[t-1]")
		}
		model.WriteString("]")
	}
	return dbn.New(model.String(), vars...)
}

// String prints the search, what it found, the links and the notes.
func (r *Result) String() string {
	arcs := 0
	for _, f := range r.Families {
		arcs += len(f.Parents)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d links between %d variables, log score %.6g (%s), %d break the assumption\n", r.Search, arcs,
		len(r.Families), r.Score, r.ScoreName, r.Violations)
	for _, l := range r.Passes {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	for _, f := range r.Families {
		if len(f.Parents) > 0 {
			fmt.Fprintf(&b, "%s ← %s\n", f.Child, strings.Join(f.Parents, ", "))
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}
