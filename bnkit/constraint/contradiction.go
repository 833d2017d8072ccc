package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
)

// leastDifference is what may be lost by rounding where numbers of statements are subtracted from each other, as
// limits next to 1 are from 1.
const leastDifference = 1e-13

// unsolved says in words why a part has no answer for some counts.
func (p *Problem) unsolved(part *plan, err error) error {
	var forced *cores.ForcedError
	if !errors.As(err, &forced) {
		return say.Errorf("constraint: %s: %w", p.sentences(part.members), err)
	}
	leaves := part.leavesOf(forced.Node)
	cell := part.cells[leaves[0]]
	indicator := make([]float64, p.layout.Len())
	indicator[cell] = 1
	culprits := p.minimal(part.members, func(members []int) bool {
		return p.trial(members, indicator) != nil
	})
	leave, them := "leave", "one of them"
	if len(p.statementsOf(culprits)) == 1 {
		leave, them = "leaves", "it"
	}
	if forced.Unresolved {
		return say.Errorf("constraint: %w: %s %s less than %v for %s, which counts as no probability, but it occurs "+
			"(%v cases); change %s, or the data", ErrInfeasible, p.sentences(culprits), leave, leastDifference,
			p.names(part, leaves), forced.N, them)
	}
	return say.Errorf("constraint: %w: %s %s no probability for %s, which occurs (%v cases); change %s, or the data",
		ErrInfeasible, p.sentences(culprits), leave, p.names(part, leaves), forced.N, them)
}

func (p *Problem) names(part *plan, leaves []int) string {
	name := "P(" + p.Name(part.cells[leaves[0]]) + ")"
	if len(leaves) > 1 {
		name += fmt.Sprintf(" and %d more", len(leaves)-1)
	}
	return name
}

// contradiction names a smallest set of statements that cannot hold together.
func (p *Problem) contradiction(members []int, err error) error {
	narrowly := !errors.Is(err, ErrInfeasible) // by less than the solver can tell
	if narrowly && !p.tooLarge(members) {
		return say.Errorf("constraint: %s: %w%s", p.sentences(members), err, p.advice(members, 1+narrow))
	}
	culprits := p.minimal(members, func(members []int) bool {
		if narrowly {
			return p.tooLarge(members)
		}
		return errors.Is(p.trial(members, nil), ErrInfeasible)
	})
	if narrowly {
		err = ErrInfeasible
	} else if err2 := p.trial(culprits, nil); err2 != nil {
		err = err2
	}
	them := "one of them"
	if len(p.statementsOf(culprits)) == 1 {
		them = "it"
	}
	return say.Errorf("constraint: %w: %s; change or drop %s%s%s", ErrInfeasible, p.sentences(culprits), them,
		p.advice(culprits, 1), detail(err))
}

// detail is what presolve or a solver found, which comes after the sentences that suffice.
func detail(err error) string {
	text, ok := strings.CutPrefix(err.Error(), ErrInfeasible.Error()+": ")
	if !ok {
		return ""
	}
	return " (" + text + ")"
}

// trial solves some bounds alone: whether they are feasible, with counts if given.
func (p *Problem) trial(members []int, n []float64) error {
	part, err := newPlan(p.layout, p.bounds, members, &presolve.Scratch{Leaf: make([]int32, p.layout.Len())})
	if err != nil || n == nil {
		return err
	}
	return part.maximize(make([]float64, p.layout.Len()), n, cores.NewWorkspace(part.nodes), nil)
}

// minimal finds, among the statements of members, a set that still fails and of which none
// can be missed, by dividing: k of n statements take about k log n trials (U. Junker,
// QuickXplain, AAAI 2004).
func (p *Problem) minimal(members []int, fails func([]int) bool) []int {
	of := func(statements []int) []int {
		var out []int
		for _, m := range members {
			if slices.Contains(statements, p.of[m]) {
				out = append(out, m)
			}
		}
		return out
	}
	var search func(kept, open []int, added bool) []int
	search = func(kept, open []int, added bool) []int {
		switch {
		case added && fails(of(kept)):
			return nil
		case len(open) == 1:
			return open
		}
		half := len(open) / 2
		right := search(slices.Concat(kept, open[:half]), open[half:], true)
		left := search(slices.Concat(kept, right), open[:half], len(right) > 0)
		return slices.Concat(left, right)
	}
	return of(search(nil, p.statementsOf(members), false))
}

// statementsOf lists the statements of bounds, each once, in order.
func (p *Problem) statementsOf(members []int) []int {
	var list []int
	for _, m := range members {
		list = append(list, p.of[m])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sentences quotes the statements of bounds.
func (p *Problem) sentences(members []int) string {
	text := ""
	list := p.statementsOf(members)
	for i, s := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			text += " and "
		default:
			text += ", "
		}
		text += fmt.Sprintf("%q", p.statements[s])
	}
	return text
}
