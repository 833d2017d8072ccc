package structure

import (
	"context"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/num"
)

// A Result is a learned graph with its provenance.
type Result struct {
	DAG       *bn.DAG
	Variables []bn.Variable // in the order of DAG, so that bn.NewNetwork takes both
	Score     float64       // natural logarithm, priors included
	ScoreName string        // in words
	Search    string        // in words
	Cases     float64       // weight of all rows
	Families  []FamilyScore // in the order of DAG
	Moves     int           // changes of the graph that led there
	// PairTests are of [PCStable] and [MMHC]: each pair of variables with its test of independence.
	PairTests []PairTest
	// Interrupted: a done context ended the search, and a better graph may have been missed. Notes say
	// how far it came.
	Interrupted bool
	Notes       []string // what the user should know: constant columns, rows left out, ties
}

// A FamilyScore is one term of the score of a graph.
type FamilyScore struct {
	Child   string
	Parents []string
	Score   float64
}

// Network returns the network of the graph with uniform tables, to be fitted.
func (r *Result) Network() (*bn.Network, error) { return bn.NewNetwork(r.DAG, r.Variables) }

// Arcs lists the arcs by child.
func (r *Result) Arcs() []Arc {
	var arcs []Arc
	for _, f := range r.Families {
		for _, p := range f.Parents {
			arcs = append(arcs, Arc{p, f.Child})
		}
	}
	return arcs
}

// String prints the graph, its score, the score of each family and the notes.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", r.DAG)
	fmt.Fprintf(&b, "%d variables, %d arcs; %s %.4f for %.10g cases\n", r.DAG.Len(), r.DAG.Arcs(), r.ScoreName, r.Score,
		r.Cases)
	fmt.Fprintf(&b, "found by %s", r.Search)
	if r.Moves > 0 {
		fmt.Fprintf(&b, " in %d moves", r.Moves)
	}
	b.WriteString("\n")
	wide := 0
	for _, f := range r.Families {
		wide = max(wide, len([]rune(f.Child)))
	}
	for _, f := range r.Families {
		line := fmt.Sprintf("  %-*s %14.4f  %s", wide, f.Child, f.Score, strings.Join(f.Parents, ", "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// Notes says what of the data the user should know who reads a graph, given as the parents of each
// variable, ascending: columns with one value, rows left out, states with so few rows or so constant a number that
// arcs from their variable are lost, and under [BGe] units that are far apart. Without parents it is what holds of all
// graphs.
func (s *Scorer) Notes(ctx context.Context, parents [][]int) ([]string, error) {
	rare := rareInSearch
	if s.numbers != nil {
		rare = min(rare, len(s.numbers.numbers))
	}
	return s.notes(ctx, parents, float64(rare))
}

// notes is Notes, which names states with rare rows or fewer.
func (s *Scorer) notes(ctx context.Context, parents [][]int, rare float64) ([]string, error) {
	families := make([]count.Family, 0, 2*len(s.vars))
	of := make([]int, 0, 2*len(s.vars)) // the number of the variable, and from len(s.vars) on of its family
	for v := range s.vars {
		if s.vars[v].IsDiscrete() {
			families, of = append(families, count.Family{Child: v, Add: -1}), append(of, v)
		}
	}
	if s.missing != RefuseMissing {
		for v, ps := range parents {
			if s.vars[v].IsDiscrete() {
				families = append(families, count.Family{Child: v, Parents: ps, Add: len(ps) - 1})
				of = append(of, len(s.vars)+v)
			}
		}
	}
	const none, one, several = 0, 1, 2
	values := make([]int, len(s.vars))
	for v := range values {
		if !s.vars[v].IsDiscrete() {
			values[v] = several // or there would be no scorer
		}
	}
	left, unseen := make([]float64, len(s.vars)), make([]bool, len(s.vars))
	err := s.own.count(ctx, families, 1, func(i int, n []float64, rows float64) {
		if i = of[i]; i >= len(s.vars) {
			v := i - len(s.vars)
			of := s.own.of(s.vars[v])
			left[v], unseen[v] = of-rows, len(parents[v]) > 0 && of > 0 && num.Sum(n) == 0
			return
		}
		for _, m := range n {
			if m > 0 {
				values[i] = min(values[i]+1, several)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if s.numbers != nil && s.missing != RefuseMissing {
		for v, ps := range parents {
			if s.vars[v].IsDiscrete() {
				continue
			}
			r, err := s.regression(ctx, count.Family{Child: v, Parents: ps})
			if err != nil {
				return nil, err
			}
			of := s.own.of(s.vars[v])
			left[v], unseen[v] = of-r.rows, of > 0 && r.rows == 0
		}
	}
	var notes, skipped []string
	if parents != nil && s.numbers != nil && len(s.numbers.numbers) < len(s.vars) {
		notes = append(notes, "no arc may point from a column of numbers to one of states: "+
			quoted(s.vars, s.numbers.numbers)+" have no child with states")
	}
	for v, different := range values {
		switch different {
		case none:
			notes = append(notes, fmt.Sprintf("column %q has no value in any case: every score of it is that of no "+
				"cases", s.vars[v].Name))
		case one:
			notes = append(notes, fmt.Sprintf("column %q has one value only: it is scored like any other and tells "+
				"nothing of them", s.vars[v].Name))
		}
	}
	for v, rows := range left {
		if unseen[v] {
			notes = append(notes, fmt.Sprintf("no case has values of %q and of all its parents, %s: the score of the "+
				"family is −∞", s.vars[v].Name, quoted(s.vars, parents[v])))
		}
		if rows > 0 {
			skipped = append(skipped, fmt.Sprintf("%.6g for %q", rows, s.vars[v].Name))
		}
	}
	if len(skipped) > 0 {
		notes = append(notes, fmt.Sprintf("%s: rows left out of families because a member is missing: %s", s.missing,
			strings.Join(skipped, ", ")))
	}
	about, err := s.numbersNotes(ctx, rare)
	return append(notes, about...), err
}
