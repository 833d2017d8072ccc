package structure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/branching"
	"bnlab/bnkit/structure/internal/independence"
	"bnlab/internal/say"
)

// ChowLiu finds the tree with the largest likelihood: the one that joins the variables with the largest sum of mutual
// information, its arcs directed away from the root (Chow and Liu 1968). Arcs that rules forbid are not used and
// required ones are, so that rules may leave several trees.
type ChowLiu struct {
	Root string // "" means the first variable, or with rules any; one of numbers is an error beside states
}

// NaiveBayes gives each variable one parent, the class.
type NaiveBayes struct {
	Class string
}

// TAN is the tree-augmented naive Bayes classifier: beside the class each variable has at most one parent, by the tree
// with the largest sum of mutual information given the class (Friedman, Geiger and Goldszmidt 1997).
type TAN struct {
	Class string
	Root  string // of the tree; "" means the first of its variables, or with rules any
}

var (
	_ Search = ChowLiu{}
	_ Search = NaiveBayes{}
	_ Search = TAN{}
)

// String describes the search.
func (ChowLiu) String() string { return "Chow and Liu's tree" }

// String describes the search.
func (s NaiveBayes) String() string { return fmt.Sprintf("naive Bayes, class %s", s.Class) }

// String describes the search.
func (s TAN) String() string { return fmt.Sprintf("tree-augmented naive Bayes, class %s", s.Class) }

func (s ChowLiu) search(ctx context.Context, p *task) (*outcome, error) {
	return p.tree(ctx, "ChowLiu", s.Root, -1)
}

func (s TAN) search(ctx context.Context, p *task) (*outcome, error) {
	class, err := p.class("TAN", s.Class)
	if err != nil {
		return nil, err
	}
	return p.tree(ctx, "TAN", s.Root, class)
}

func (s NaiveBayes) search(_ context.Context, p *task) (*outcome, error) {
	class, err := p.class("NaiveBayes", s.Class)
	if err != nil {
		return nil, err
	}
	parents := make([][]int, len(p.Scorer.vars))
	for v := range parents {
		if v != class {
			parents[v] = []int{class}
		}
	}
	return &outcome{Parents: parents}, p.shaped("NaiveBayes", parents)
}

// class finds the class variable.
func (p *task) class(where, name string) (int, error) {
	vars := p.Scorer.vars
	for v := range vars {
		if vars[v].Name == name {
			return v, nil
		}
	}
	return 0, say.Errorf("structure: %s.Class: %w %q (there are: %s)", where, bn.ErrUnknownVariable, name,
		quoted(vars, all(len(vars))))
}

// shaped is an error for a graph whose shape leaves rules no room.
func (p *task) shaped(where string, parents [][]int) error {
	vars := p.Scorer.vars
	for v, ps := range parents {
		for _, u := range ps {
			if isMixed(vars, u, v) {
				return say.Errorf("structure: %s gives %q, which has states, the parent %q, which holds numbers, and "+
					"no number is a parent of states; discretise %q, or take a class with states", where,
					vars[v].Name, vars[u].Name, vars[u].Name)
			}
			if !p.Limits.Allowed(u, v) {
				return &RuleError{Arc{vars[u].Name, vars[v].Name}, say.Errorf("%s has it, and it is forbidden or "+
					"against the tiers; leave the rule or the column out", where)}
			}
		}
		for _, u := range p.Limits.Required[v] {
			if !slices.Contains(ps, u) {
				return &RuleError{Arc{vars[u].Name, vars[v].Name}, say.Errorf("it is required, and %s has no room for "+
					"it", where)}
			}
		}
		if len(ps) > p.Limits.MaxParents {
			return say.Errorf("structure: %s gives %q %d parents, and MaxParents is %d", where, vars[v].Name, len(ps),
				p.Limits.MaxParents)
		}
	}
	return nil
}

// tree finds the tree of the variables but the class, −1 for none, which is a parent of all.
func (p *task) tree(ctx context.Context, where, rootName string, class int) (*outcome, error) {
	vars := p.Scorer.vars
	if intervened(p.Scorer.src) {
		return nil, say.Errorf("structure: %s takes cases as observed, and some were intervened on; leave these rows "+
			"out, or search by score", where)
	}
	root := -1
	if rootName != "" {
		if root = slices.IndexFunc(vars, func(v bn.Variable) bool { return v.Name == rootName }); root < 0 {
			return nil, say.Errorf("structure: %s.Root: %w %q (there are: %s)", where, bn.ErrUnknownVariable, rootName,
				quoted(vars, all(len(vars))))
		}
		if root == class {
			return nil, say.Errorf("structure: %s.Root is the class %q; the root is one of the others", where, rootName)
		}
		for v := range vars {
			if v != class && isMixed(vars, root, v) {
				return nil, say.Errorf("structure: %s.Root %q holds numbers and %q has states, and no number is a "+
					"parent of states; take a root with states, such as %q, or discretise %q", where, rootName,
					vars[v].Name, vars[v].Name, rootName)
			}
		}
	}
	weights, err := p.information(ctx, class)
	if err != nil {
		return nil, err
	}
	parent, notes, err := p.arborescence(where, weights, root, class)
	if err != nil {
		return nil, err
	}
	parents := make([][]int, len(vars))
	for v, u := range parent {
		if u >= 0 {
			parents[v] = append(parents[v], u)
		}
		if class >= 0 && v != class {
			parents[v] = append(parents[v], class)
		}
		slices.Sort(parents[v])
	}
	return &outcome{Parents: parents, Notes: notes}, p.shaped(where, parents)
}

// information returns the mutual information, in nats, of each two variables but the class, given it.
func (p *task) information(ctx context.Context, class int) ([][]float64, error) {
	s := p.Scorer
	var queries []independence.Query
	var given []int
	if class >= 0 {
		given = []int{class}
	}
	for v := range s.vars {
		for u := range v {
			if u != class && v != class {
				queries = append(queries, independence.Query{X: u, Y: v, Given: given})
			}
		}
	}
	weight := make([][]float64, len(s.vars))
	for v := range weight {
		weight[v] = make([]float64, len(s.vars))
	}
	numbers, err := numbersOf(s)
	if err != nil {
		return nil, err
	}
	all := &tester{IndependenceTests{CasesPerDegree: math.SmallestNonzeroFloat64}, p, numbers}
	answers, err := all.Test(ctx, queries)
	for i, a := range answers {
		if q := queries[i]; a.Cases > 0 {
			weight[q.X][q.Y] = a.Statistic / (2 * a.Cases)
			weight[q.Y][q.X] = weight[q.X][q.Y]
		}
	}
	return weight, err
}

// arborescence returns the parents, −1 for none, of the best tree over the variables but the class, from the root, −1
// for any. Where rules leave no tree it is as few trees as they leave, with a note.
func (p *task) arborescence(where string, weight [][]float64, root, class int) ([]int, []string, error) {
	vars, limits := p.Scorer.vars, p.Limits
	members := slices.DeleteFunc(all(len(vars)), func(v int) bool { return v == class })
	top := len(members)      // stands above the roots
	large, free := 1.0, true // more than all arcs of a tree together
	for _, row := range weight {
		large += slices.Max(row)
	}
	w := make([][]float64, top+1)
	for i := range w {
		w[i] = slices.Repeat([]float64{math.Inf(-1)}, top+1)
	}
	for j, v := range members {
		required := slices.DeleteFunc(slices.Clone(limits.Required[v]), func(u int) bool { return u == class })
		if len(required) > 1 || len(required) == 1 && v == root {
			return nil, nil, &RuleError{Arc{vars[required[0]].Name, vars[v].Name},
				say.Errorf("it is required, and %s has no room for it", where)}
		}
		if len(required) == 0 && (root < 0 || v == root) {
			w[top][j] = -large
		} else if len(required) == 0 {
			w[top][j] = -large * float64(top+2) // only if nothing else can be
		}
		for i, u := range members {
			switch {
			case u == v:
			case limits.Allowed(u, v) && (len(required) == 0 || required[0] == u):
				w[i][j] = weight[u][v]
			default:
				free = false
			}
		}
	}
	if len(members) == 0 {
		return slices.Repeat([]int{-1}, len(vars)), nil, nil
	}
	if free {
		return branching.Spanning(weight, members, max(root, members[0])), nil, nil
	}
	found := branching.Optimum(w, top)
	parent := slices.Repeat([]int{-1}, len(vars))
	trees, notes := 0, []string(nil)
	for j, v := range members {
		if found[j] == top {
			trees++
		} else {
			parent[v] = members[found[j]]
		}
	}
	if trees > 1 {
		notes = append(notes, fmt.Sprintf("rules leave no tree of all variables: there are %d", trees))
	}
	if root >= 0 && parent[root] >= 0 {
		notes = append(notes, fmt.Sprintf("rules leave fewer trees when %q is not a root", vars[root].Name))
	}
	return parent, notes, nil
}
