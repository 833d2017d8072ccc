package infer

import (
	"math"

	"bnlab/internal/factor"
)

// EachCase calls f with each distinct case: its number c from 0 in the order of first
// appearance, the weight of the rows that are like it, log P(case) of one of them, natural
// logarithm, and its own expected counts, those of Expect with weight 1. So the gradient of
// log P(case) by table entry is n/theta. The counts are valid during the call only. Both
// slices follow the network's layout; it panics when theta is shorter.
//
// It stops with an [*ImpossibleError] at a case of probability zero, and with what f returns
// when that is not nil. Each case costs about what a query does. (R95 Eq. 4.)
func (p *Plan) EachCase(theta []float64, f func(c int, weight, loglik float64, n []float64) error) error {
	theta = theta[:len(p.m.own.theta)]
	x := parameters{theta: theta, densities: p.m.own.densities}
	pieces, err := p.pieces()
	if err != nil {
		return err
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	n := make([]float64, len(theta))
	var alone block
	for c, weight := range p.c.weight {
		clear(n)
		loglik := pieces[c].density
		for _, cell := range pieces[c].known {
			if !(theta[cell] > 0) {
				return p.c.impossible(p.m.net, c)
			}
			loglik += factor.Log(theta[cell])
			n[cell]++
		}
		for _, h := range pieces[c].hidden {
			t := &p.tasks[h.task]
			t.alone(&alone, t.block, h.config, int32(c))
			log, err := p.m.evidence(t.tree, w, &alone, p.c, x, false)
			if err != nil {
				return err
			}
			if math.IsInf(log, -1) {
				return p.c.impossible(p.m.net, c)
			}
			loglik += log
			t.down(w, &alone, nil, nil)
			t.addCounts(w, &alone, n)
		}
		if err := f(c, weight, loglik, n); err != nil {
			return err
		}
	}
	return nil
}

// pieces are what a case is made of.
type pieces struct {
	density float64 // logarithm, of linear-Gaussian variables observed outright
	known   []int32 // table entries observed outright
	hidden  []piece
}

// piece is a configuration of the root of a task.
type piece struct{ task, config int32 }

// pieces lists what each case is made of.
func (p *Plan) pieces() ([]pieces, error) {
	list := make([]pieces, p.c.rows)
	for f := range p.m.families {
		rows := p.m.complete(f, p.c)
		if len(rows) == 0 {
			continue
		}
		for i, base := range p.m.bases(f, p.c, rows) {
			of := &list[rows[i]]
			if d := p.m.own.densities[f]; d != nil {
				x, err := p.m.logDensity(d, f, base, p.c, rows[i])
				if err != nil {
					return nil, err
				}
				of.density += x
				continue
			}
			of.known = append(of.known, base)
		}
	}
	for task, t := range p.tasks {
		for i, row := range t.rows {
			list[row].hidden = append(list[row].hidden, piece{int32(task), t.of[i]})
		}
	}
	return list, nil
}

// alone makes the block of one configuration of the root of another, with weight 1. It shares
// memory with that and reuses its own.
func (t *tree) alone(to, from *block, config, row int32) {
	last := len(t.nodes) - 1
	if len(to.slots) <= last {
		to.slots = make([]slot, last+1)
	}
	to.slots = to.slots[:last+1]
	to.weight, to.first, to.cells = append(to.weight[:0], 1), append(to.first[:0], row), 0
	to.slots[last].n = int(config) // n is the configuration in from until the slot is made
	for i := last; i >= 0; i-- {
		n, s := &t.nodes[i], &from.slots[i]
		k := to.slots[i].n
		one := slot{n: 1, start: to.cells}
		to.cells += n.size
		switch {
		case n.family < 0:
			one.a, one.b = first, first
			to.slots[n.a].n = int(s.a[k])
			if n.b >= 0 {
				to.slots[n.b].n = int(s.b[k])
			}
		case s.rows != nil:
			one.base, one.rows = s.base[k:k+1], s.rows[k:k+1]
		default:
			one.base = s.base[k : k+1]
		}
		to.slots[i] = one
	}
}
