package constraint

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/internal/cores"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
)

// A Flag marks a distribution whose estimate should not be taken at face value.
type Flag struct {
	// ZeroProbability: a state never seen got probability zero, so a new case in that state has log score −∞, which
	// pseudocounts mend. Otherwise the data do not determine the distribution, or a part of it.
	ZeroProbability bool
	Var             string
	Given           string // the parent configuration, empty without parents
	Text            string // what happened and what was done
	// More is how many further configurations of Var have a flag of this kind; they are not spelt.
	More int `json:",omitempty"`
}

// String prints the flag as a sentence.
func (f Flag) String() string {
	s := "P(" + f.Var
	if f.Given != "" {
		s += " | " + f.Given
	}
	kind := "not identified"
	if f.ZeroProbability {
		kind = "zero probability"
	}
	s += "): " + kind + ": " + f.Text
	if f.More > 0 {
		s += fmt.Sprintf(" (and %d more distributions of %s)", f.More, f.Var)
	}
	return s
}

// spelt is how many flags of one kind a variable gets, each with its configuration; the others are counted.
const spelt = 100

// AppendTo appends the flag to flags, which are in the order of the network, with what spell returns for Given and
// Text. When they have a hundred of its kind for the variable already, as a table of a million rows soon has, it only
// adds to More of the last one.
func (f Flag) AppendTo(flags []Flag, spell func() (given, text string)) []Flag {
	same, last := 0, -1
	for i := len(flags) - 1; i >= 0 && flags[i].Var == f.Var && same < spelt; i-- {
		if flags[i].ZeroProbability == f.ZeroProbability {
			last = max(last, i)
			if same++; flags[i].More > 0 {
				same = spelt
			}
		}
	}
	if same >= spelt {
		flags[last].More++
		return flags
	}
	f.Given, f.Text = spell()
	return append(flags, f)
}

// Flags reports, for the estimate theta at the effective counts n, every distribution
// that the counts leave open and every one with a probability of zero for a state that
// the statements leave possible, in the order of the network; of each kind a hundred for each
// variable, and how many more.
func (p *Problem) Flags(theta, n []float64) []Flag {
	open := make(map[Row]string)
	w := p.spaces.Take()
	defer p.spaces.Give(w)
	for _, part := range p.parts {
		p.flagPart(part, n, w, open)
	}
	var out []Flag
	free := p.free
	for v := range p.net.Len() {
		t := p.net.CPT(v)
		if t == nil {
			continue
		}
		name := t.Child.Name
		for config := range t.Configs().Len() {
			row := Row{v, config}
			lo, hi := p.layout.Row(v, config)
			for len(free) > 0 && (free[0].v < v || free[0].v == v && free[0].to <= config) {
				free = free[1:]
			}
			text := ""
			if len(free) > 0 && free[0].v == v && free[0].from <= config {
				if num.Sum(n[lo:hi]) == 0 {
					text = "no cases with these parent states; made uniform"
				}
			} else if len(open) > 0 {
				text = open[row]
			}
			if text != "" {
				out = Flag{Var: name}.AppendTo(out, func() (string, string) { return p.given(row), text })
			}
			zeros := 0
			for cell := lo; cell < hi; cell++ {
				if theta[cell] == 0 && !p.Impossible(cell) {
					zeros++
				}
			}
			if zeros > 0 {
				out = Flag{Var: name, ZeroProbability: true}.AppendTo(out, func() (string, string) {
					return p.given(row), fmt.Sprintf("%d of %d states were never seen; add a pseudocount if they are "+
						"possible", zeros, hi-lo)
				})
			}
		}
	}
	return out
}

// flagPart finds the masses that are divided without counts to go by.
func (p *Problem) flagPart(part *plan, n []float64, w *cores.Workspace, open map[Row]string) {
	if !slices.ContainsFunc(part.cells, func(cell int) bool { return n[cell] == 0 }) {
		return
	}
	part.pool(n, w)
	for _, c := range part.cores {
		if _, err := c.Maximize(w); err != nil {
			return
		}
	}
	for i := len(part.steps) - 1; i >= 0; i-- {
		part.steps[i].Expand(w.X, w.N)
	}
	cases := 0.0
	for _, cell := range part.cells {
		cases += n[cell]
	}
	var undivided []int // nodes
	for _, s := range part.steps {
		if s, ok := s.(*presolve.Split); ok && w.N[s.Node] == 0 && w.X[s.Node] > 0 {
			undivided = append(undivided, s.Old...)
		}
	}
	for _, c := range part.cores {
		undivided = append(undivided, c.Open(w)...)
	}
	if len(undivided) == 0 {
		return
	}
	states := make(map[Row][]string)
	for _, leaf := range part.leavesOf(undivided...) {
		v, config, state := p.layout.Locate(part.cells[leaf])
		states[Row{v, config}] = append(states[Row{v, config}], p.net.Variable(v).States[state])
	}
	for row, names := range states {
		text := "no cases for it or for any distribution that a statement links with it; made uniform where the " +
			"statements leave it open"
		if cases > 0 {
			if len(names) > 4 {
				names = append(slices.Clone(names[:3]), fmt.Sprintf("%d more", len(names)-3))
			}
			text = "no cases to tell " + strings.Join(names, ", ") +
				" apart; they have equal parts of what the statements leave"
		}
		open[row] = text
	}
}
