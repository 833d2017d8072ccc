package data

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// CountOptions are the options of counting. The zero value, and nil, reject
// missing cells and use all processors.
type CountOptions struct {
	// SkipMissing leaves a row out of the families in which a member is missing and counts it in the others
	// (available cases). The weight left out is reported. Estimates are unbiased only when cells are missing
	// completely at random; EM uses such rows too.
	SkipMissing bool
	Workers     int // goroutines; 0 means GOMAXPROCS; the counts do not depend on it
}

// Counts are the sufficient statistics of complete data for the tables of a
// network: N[cell] is the weight of the rows in one parent configuration and
// child state, numbered by Layout. No function that takes Counts writes to them, so several
// goroutines may read them.
type Counts struct {
	Layout  bn.Layout
	N       []float64 // by table entry
	Rows    float64   // total weight of the rows
	Skipped []float64 // by variable: weight of the rows left out because a member of its family is missing
}

// Family returns the counts of variable v by configuration and then state. The
// slice shares memory with N.
func (c *Counts) Family(v int) []float64 {
	lo, hi := c.Layout.Family(v)
	return c.N[lo:hi:hi]
}

// Count counts the rows of t for every table of the network, all families in one
// pass. Columns are found by the names of the variables and states by their
// names, so that neither the order of the columns nor that of the states matters;
// further columns are ignored, and so are continuous variables of the network,
// which have no table.
//
// It returns an error when a discrete variable has no column
// ([bn.ErrUnknownVariable]) or a continuous one ([bn.ErrNotDiscrete]), and a
// [*ValueError] for the first row with a state that the network does not have
// ([bn.ErrUnknownState]) or with a missing cell without SkipMissing
// ([ErrMissing]).
func (t *Table) Count(net *bn.Network, opts *CountOptions) (*Counts, error) {
	c := &Counts{Layout: net.Layout(), Rows: t.TotalWeight(), Skipped: make([]float64, net.Len())}
	c.N = make([]float64, c.Layout.Len())
	p := plan{table: t, view: make(map[string]int)}
	for v := range net.Len() {
		cpt := net.CPT(v)
		if cpt == nil {
			continue
		}
		lo, hi := c.Layout.Family(v)
		if err := p.add(cpt.Child, cpt.Parents, cpt.Configs(), c.N[lo:hi], &c.Skipped[v]); err != nil {
			return nil, err
		}
	}
	if err := p.run(opts); err != nil {
		return nil, err
	}
	return c, nil
}

// A Family names a child and its parents.
type Family struct {
	Child   string
	Parents []string
}

// FamilyCounts are the counts of one family: N[config×r+state] for a child with
// r states.
type FamilyCounts struct {
	Configs bn.Configs
	N       []float64
	Skipped float64 // weight of the rows left out because a member is missing
}

// countFamilies counts the rows of t for the given families in one pass; states
// are numbered as in the columns of t. Errors are those of [Table.Count].
func countFamilies(t *Table, families []Family, opts *CountOptions) ([]FamilyCounts, error) {
	out := make([]FamilyCounts, len(families))
	p := plan{table: t, view: make(map[string]int)}
	for i, f := range families {
		child, err := t.discrete(f.Child)
		if err != nil {
			return nil, err
		}
		parents := make([]bn.Variable, len(f.Parents))
		cards := make([]int, len(f.Parents))
		for j, name := range f.Parents {
			if name == f.Child || slices.Contains(f.Parents[:j], name) {
				return nil, say.Errorf("data: family of %q: %w: the parent %q is named twice or is the child", f.Child,
					bn.ErrDuplicate, name)
			}
			if parents[j], err = t.discrete(name); err != nil {
				return nil, err
			}
			cards[j] = parents[j].Cardinality()
		}
		if out[i].Configs, err = bn.NewConfigs(cards...); err != nil {
			return nil, say.Errorf("data: family of %q: %w", f.Child, err)
		}
		if out[i].Configs.Len() > maxCells/child.Cardinality() {
			return nil, say.Errorf("data: the family of %q has %d configurations of %d states, too many to count",
				f.Child, out[i].Configs.Len(), child.Cardinality())
		}
		out[i].N = make([]float64, out[i].Configs.Len()*child.Cardinality())
		if err := p.add(child, parents, out[i].Configs, out[i].N, &out[i].Skipped); err != nil {
			return nil, err
		}
	}
	if err := p.run(opts); err != nil {
		return nil, err
	}
	return out, nil
}

// maxCells bounds the counts of one family (8 GiB of them).
const maxCells = 1 << 30

// discrete returns the variable of a discrete column.
func (t *Table) discrete(name string) (bn.Variable, error) {
	c, err := t.Column(name)
	if err != nil {
		return bn.Variable{}, err
	}
	if !c.Var.IsDiscrete() {
		return bn.Variable{}, say.Errorf("data: column %q: %w; discretise it first", name, bn.ErrNotDiscrete)
	}
	return c.Var, nil
}
