package netica

import (
	"math"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// checkLevels checks that levels belong to states: of a continuous node the edges of
// intervals, which rise or fall, of a discrete one a number for each state.
func (p *parser) checkLevels(f fields, name string) error {
	if len(f.levels) == 0 {
		return nil
	}
	levels, edges := values(f.levels), 0
	if f.intervals {
		edges = 1
	}
	if want := len(f.states) + edges; len(f.states) > 0 && len(levels) != want {
		return p.ErrorAt(f.levelsAt, "node %q has %d levels and needs %d for its %d states", say.Short(name),
			len(levels), want, len(f.states))
	}
	if !f.intervals {
		return nil
	}
	for i := range levels[1:] {
		if up := levels[len(levels)-1] > levels[0]; levels[i+1] == levels[i] || (levels[i+1] > levels[i]) != up {
			return p.ErrorAt(f.levelsAt, "the levels of %q neither rise nor fall: %s stands before %s",
				say.Short(name), f.levels[i], f.levels[i+1])
		}
	}
	return nil
}

// values are levels as numbers.
func values(levels []string) []float64 {
	out := make([]float64, len(levels))
	for i, s := range levels {
		x, ok := netdoc.ParseNumber(s)
		switch {
		case !ok && s[0] == '-':
			x = math.Inf(-1)
		case !ok:
			x = math.Inf(1)
		}
		out[i] = x
	}
	return out
}

// stateOf returns the state that has the value x: of a continuous node the interval with it,
// the upper edge left out but for the highest, of a discrete one the state with this level.
func (f fields) stateOf(x float64) (state int, ok bool) {
	levels := values(f.levels)
	if !f.intervals {
		for i, level := range levels {
			if level == x {
				return i, true
			}
		}
		return 0, false
	}
	highest := max(levels[0], levels[len(levels)-1])
	for i := range levels[1:] {
		from, to := min(levels[i], levels[i+1]), max(levels[i], levels[i+1])
		if x >= from && (x < to || x == to && to == highest) {
			return i, true
		}
	}
	return 0, false
}

// function makes a table of the states that a deterministic node takes: named, numbered as
// in #0, or where the node has levels told by a value.
func (p *parser) function(f fields, n *netdoc.Node) error {
	place := make(map[string]int, len(f.states))
	for i, s := range f.states {
		place[s] = i
	}
	r := len(n.States)
	if r == 0 {
		return nil // which the builder reports
	}
	if err := p.b.Imply(n.At, r*len(f.functable), "the table of %q", say.Short(n.Name)); err != nil {
		return err
	}
	n.Table = make([]float64, r*len(f.functable))
	for config, t := range f.functable {
		s, ok := place[t.Text]
		x, number := netdoc.ParseNumber(t.Text)
		switch {
		case t.Kind == '@':
			return p.ErrorAt(t.At, "%w: an impossible or undefined entry in the table of %q; fill it in",
				netdoc.ErrUnsupported, say.Short(n.Name))
		case t.Kind == netdoc.Number && number && len(f.levels) > 0:
			s, ok = f.stateOf(x)
		case t.Kind == '#', t.Kind == netdoc.Number && !ok:
			var err error
			s, err = strconv.Atoi(t.Text)
			ok = err == nil && s >= 0 && s < r
		}
		if !ok {
			return p.ErrorAt(t.At, "%w %q of node %q, which has %s", bn.ErrUnknownState, say.Short(t.Text),
				say.Short(n.Name), say.List(n.States))
		}
		n.Table[config*r+s] = 1
	}
	p.b.Lose("The deterministic node %q is read as a table of 0 and 1.", say.Short(n.Name))
	return nil
}
