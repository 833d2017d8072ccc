package nb

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/elimination"
)

// An exploreCluster is a step of the elimination: the last of Vars is summed out of the product of the tables of
// Families and of earlier messages, and the message goes to cluster Up, or nowhere (−1).
type exploreCluster struct {
	Vars     []int `json:"vars"`
	Families []int `json:"families"`
	Up       int   `json:"up"`
}

// The bounds of what a browser answers at once, and of answers computed beforehand: squares of states.
const (
	mostClusterCells = 1 << 16
	mostSingleStates = 400
	mostTableShown   = 4096 // entries of a table, where it is only shown
)

// answer compiles the tables, or computes the answers to single findings.
func (d *exploreData) answer(m bn.Model, opts *ExploreOptions) error {
	if d.Clusters = d.compile(mostClusterCells); d.Clusters == nil {
		states := 0
		for _, v := range d.Vars {
			states += len(v.States)
		}
		if states > mostSingleStates {
			return fmt.Errorf("the network is too wide for a browser, and with %d states in all too large to compute "+
				"its answers beforehand (%d at most); draw it with nb.Targets", states, mostSingleStates)
		}
		if len(d.Findings) > 1 {
			return fmt.Errorf("the network is too wide for a browser, which can show one finding at a time; %d are "+
				"given",
				len(d.Findings))
		}
		for i, of := range []bn.Model{m, opts.Beside} {
			if of == nil {
				continue
			}
			var err error
			if d.Models[i].Single, err = singles(of.Network(), d.Vars); err != nil {
				return err
			}
			for v, t := range d.Models[i].Tables {
				if len(t) > mostTableShown {
					d.Models[i].Tables[v] = nil
				}
			}
		}
	}
	return nil
}

// singles asks for all distributions, given nothing and given each state.
func singles(net *bn.Network, vars []exploreVar) (*exploreSingle, error) {
	engine, err := infer.New(net, nil)
	if err != nil {
		return nil, err
	}
	ask := func(e infer.Evidence) (exploreRow, error) {
		found, err := engine.Marginals(e)
		if err != nil {
			return nil, err
		}
		return slices.Concat(found.P...), nil
	}
	out := &exploreSingle{}
	if out.Prior, err = ask(nil); err != nil {
		return nil, err
	}
	for _, v := range vars {
		for _, state := range v.States {
			row := exploreRow{} // of a state that cannot occur
			if out.Prior[len(out.Given)] > 0 {
				if row, err = ask(infer.Evidence{v.Name: state}); err != nil {
					return nil, err
				}
			}
			out.Given = append(out.Given, row)
		}
	}
	return out, nil
}

// compile orders the elimination of the discrete variables, the smallest product first, and returns its steps; nil
// when they have more cells than most together. Continuous variables have no discrete children: unobserved, they sum
// to one.
func (d *exploreData) compile(most float64) []exploreCluster {
	var scopes [][]int
	var families [][]int // that each scope holds, not yet multiplied
	var left []int
	for v, of := range d.Vars {
		if len(of.States) > 0 {
			scopes, families = append(scopes, append(slices.Clone(of.Parents), v)), append(families, []int{v})
			left = append(left, v)
		}
	}
	card := func(v int) int { return len(d.Vars[v].States) }
	var out []exploreCluster
	at := make([]int, len(d.Vars)) // the cluster that sums a variable out
	total := 0.0
	for len(left) > 0 {
		v, members, cells := elimination.Smallest(scopes, card, left)
		if total += cells; total > most {
			return nil
		}
		c := exploreCluster{Families: []int{}}
		for _, x := range slices.Sorted(slices.Values(members)) {
			if x != v {
				c.Vars = append(c.Vars, x)
			}
		}
		rest := slices.Clone(c.Vars)
		c.Vars = append(c.Vars, v)
		for i := len(scopes) - 1; i >= 0; i-- {
			if slices.Contains(scopes[i], v) {
				c.Families = append(c.Families, families[i]...)
				scopes, families = slices.Delete(scopes, i, i+1), slices.Delete(families, i, i+1)
			}
		}
		scopes, families = append(scopes, rest), append(families, nil)
		at[v] = len(out)
		left = slices.DeleteFunc(left, func(x int) bool { return x == v })
		out = append(out, c)
	}
	for i, c := range out {
		up := -1
		for _, x := range c.Vars[:len(c.Vars)-1] {
			if up < 0 || at[x] < up {
				up = at[x]
			}
		}
		out[i].Up = up
	}
	return out
}
