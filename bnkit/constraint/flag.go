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
}

// String prints the flag as a sentence.
func (f Flag) String() string {
	s := "P(" + f.Var
	if f.Given != "" {
		s += " | " + f.Given
	}
	if f.ZeroProbability {
		return s + "): zero probability: " + f.Text
	}
	return s + "): not identified: " + f.Text
}

func (p *Problem) flag(row Row, zero bool, text string) Flag {
	return Flag{ZeroProbability: zero, Var: p.net.Variable(row.Var).Name, Given: p.given(row), Text: text}
}

// Flags reports, for the estimate theta at the effective counts n, every distribution
// that the counts leave open and every one with a probability of zero for a state that
// the statements leave possible, in the order of the network.
func (p *Problem) Flags(theta, n []float64) []Flag {
	byRow := make(map[Row][]Flag)
	for _, row := range p.free {
		lo, hi := p.layout.Row(row.Var, row.Config)
		if num.Sum(n[lo:hi]) == 0 {
			byRow[row] = append(byRow[row], p.flag(row, false,
				"no cases with these parent states; made uniform"))
		}
	}
	w := p.spaces.Take()
	defer p.spaces.Give(w)
	for _, part := range p.parts {
		p.flagPart(part, n, w, byRow)
	}
	var out []Flag
	for v := range p.net.Len() {
		t := p.net.CPT(v)
		if t == nil {
			continue
		}
		for config := range t.Configs().Len() {
			row := Row{v, config}
			out = append(out, byRow[row]...)
			lo, hi := p.layout.Row(v, config)
			zeros := 0
			for cell := lo; cell < hi; cell++ {
				if theta[cell] == 0 && !p.Impossible(cell) {
					zeros++
				}
			}
			if zeros > 0 {
				out = append(out, p.flag(row, true,
					fmt.Sprintf("%d of %d states were never seen; add a pseudocount if they are possible", zeros,
						hi-lo)))
			}
		}
	}
	return out
}

// flagPart finds the masses that are divided without counts to go by.
func (p *Problem) flagPart(part *plan, n []float64, w *cores.Workspace, byRow map[Row][]Flag) {
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
	var open []int // nodes
	for _, s := range part.steps {
		if s, ok := s.(*presolve.Split); ok && w.N[s.Node] == 0 && w.X[s.Node] > 0 {
			open = append(open, s.Old...)
		}
	}
	for _, c := range part.cores {
		open = append(open, c.Open(w)...)
	}
	if len(open) == 0 {
		return
	}
	states := make(map[Row][]string)
	for _, leaf := range part.leavesOf(open...) {
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
		byRow[row] = append(byRow[row], p.flag(row, false, text))
	}
}
