package completion

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// cells is the number of table entries of all steps.
func (p *Part) cells() int {
	total := 0
	for i := range p.steps {
		total += len(p.steps[i].table)
	}
	return total
}

// add adds cases with the given states.
func (p *Part) add(states []bn.State, weight float64) {
	base := make([]int, len(p.families))
	var key []byte
	for i, f := range p.families {
		base[i] = f.lo
		for k, u := range f.observed {
			base[i] += int(states[u]) * f.strides[k]
		}
		key = binary.AppendUvarint(key, uint64(base[i]))
	}
	at, ok := p.index[string(key)]
	if !ok {
		at = len(p.configs)
		p.index[string(key)] = at
		p.configs = append(p.configs, evidence{base: base})
	}
	p.configs[at].weight += weight
}

func (p *Part) draw(ctx context.Context, n, theta []float64, rng *rand.Rand) error {
	for k, e := range p.configs {
		if k%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := p.sum(theta, e.base); err != nil {
			return err
		}
		for range int(e.weight) {
			p.back(rng)
			for i, f := range p.families {
				cell := e.base[i]
				for k, at := range f.hidden {
					cell += f.steps[k] * p.states[at]
				}
				n[cell]++
			}
		}
	}
	return nil
}

// tiny is where tables are scaled to 1, before they underflow.
const tiny = 1e-150

// sum makes the tables and messages of all steps.
func (p *Part) sum(theta []float64, base []int) error {
	for i := range p.steps {
		e := &p.steps[i]
		for j := range e.table {
			e.table[j] = 1
		}
		for _, o := range e.product {
			var factor []float64
			if o.family >= 0 {
				factor = theta[base[o.family]:]
			} else {
				factor = p.steps[o.from].message
			}
			high := 0.0
			for j, at := range o.at {
				e.table[j] *= factor[at]
				high = max(high, e.table[j])
			}
			if !(high > 0) {
				return fmt.Errorf("learn: %w under drawn tables; give larger pseudocounts", infer.ErrImpossibleEvidence)
			}
			if high < tiny {
				for j := range e.table {
					e.table[j] /= high
				}
			}
		}
		for j := range e.message {
			total := 0.0
			for _, x := range e.table[j*e.card:][:e.card] {
				total += x
			}
			e.message[j] = total
		}
	}
	return nil
}

// back draws the variables, the last eliminated first.
func (p *Part) back(rng *rand.Rand) {
	for i := len(p.steps) - 1; i >= 0; i-- {
		e := &p.steps[i]
		at := 0
		for k, u := range e.outer {
			at += e.strides[k] * p.states[u]
		}
		row := e.table[at*e.card:][:e.card]
		u := rng.Float64() * e.message[at]
		state := 0
		for s, x := range row {
			if x > 0 {
				state = s
				if u -= x; u < 0 {
					break
				}
			}
		}
		p.states[i] = state
	}
}
