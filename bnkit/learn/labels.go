package learn

import "slices"

// Interchangeable names the hidden discrete variables whose states nothing tells apart: no statement is about, and no
// parametric CPD or prior with different counts is of, a table of theirs, of a child, or of a hidden variable beside
// them. Then every order of their states has the same likelihood, and which of them is called by which name is an
// accident of the start, if that was a random one. An influence on a child or of a parent names them; [Align] does
// after the fit. Hidden variables that are linked by an arc, as those of two slices, are told apart together.
func (r *Result) Interchangeable() []string {
	if r == nil || r.Net == nil {
		return nil
	}
	told := r.told()
	group := make([]int, len(told)) // of linked hidden variables
	hidden := make([]bool, len(told))
	for v := range group {
		group[v] = v
		hidden[v] = slices.Contains(r.Hidden, r.Net.Variable(v).Name) && r.Net.Variable(v).IsDiscrete()
	}
	dag := r.Net.DAG()
	for v := range group {
		for _, p := range dag.Parents(v) {
			if from, to := group[v], group[p]; hidden[v] && hidden[p] && from != to {
				for w, g := range group {
					if g == from {
						group[w] = to
					}
				}
			}
		}
	}
	named := make([]bool, len(group))
	for v := range group {
		for _, u := range append([]int{v}, dag.Parents(v)...) {
			named[group[u]] = named[group[u]] || told[v] && hidden[u]
		}
	}
	var names []string
	for v := range group {
		if hidden[v] && !named[group[v]] {
			names = append(names, r.Net.Variable(v).Name)
		}
	}
	return names
}

// told marks the variables whose tables a statement, a parametric CPD or a prior with different counts is about.
func (r *Result) told() []bool {
	told := make([]bool, r.Net.Len())
	for _, s := range r.Statements {
		bounds, err := s.Bind(r.Net)
		if err != nil { // of a Formula without its functions: it may be about any table
			return slices.Repeat([]bool{true}, len(told))
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				told[row.Var] = true
			}
		}
	}
	for _, c := range r.CPDs {
		for _, name := range c.Children {
			if v, err := r.Net.Index(name); err == nil {
				told[v] = true
			}
		}
	}
	prior := r.Pseudocounts
	if prior == nil && r.Solution != nil && len(r.Solution.Counts()) == len(r.Counts) {
		prior = make([]float64, len(r.Counts))
		for cell, n := range r.Solution.Counts() {
			prior[cell] = n - r.Counts[cell]
		}
	}
	for v := range told {
		const same = 1e-3 // the counts may be those of the last step and of the one before
		if lo, hi := r.Net.Layout().Family(v); lo < hi && hi <= len(prior) {
			told[v] = told[v] || slices.Max(prior[lo:hi])-slices.Min(prior[lo:hi]) > same
		}
	}
	return told
}
