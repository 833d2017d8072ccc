package constraint

import (
	"fmt"
	"math"
)

// settle fixes what a relation alone determines: a single node of an equality, and nodes
// that add up to at most zero.
func (p *program) settle() (bool, error) {
	value := make(map[int]float64)
	fix := func(node int, v float64) error {
		if v < 0 {
			if v < -feasibleTol {
				return fmt.Errorf("%w: a probability would have to be %.6g", errInfeasible, v)
			}
			v = 0
		}
		if old, ok := value[node]; ok {
			if math.Abs(old-v) > feasibleTol*max(1, math.Abs(v)) {
				return fmt.Errorf("%w: a probability would have to be both %.6g and %.6g", errInfeasible, old, v)
			}
			return nil
		}
		value[node] = v
		p.steps = append(p.steps, &fixed{node: node, value: v})
		return nil
	}
	dropped := false
	kept := p.relations[:0]
	for _, r := range p.relations {
		lo, hi := 0.0, 0.0 // signs of the coefficients
		for _, c := range r.coef {
			lo, hi = min(lo, c), max(hi, c)
		}
		switch {
		case r.price > 0:
			if len(r.index) == 0 { // paid or not, whatever the data
				dropped = true
				continue
			}
		case len(r.index) == 0:
			if r.value < -feasibleTol || !r.atMost && r.value > feasibleTol {
				return false, fmt.Errorf("%w: probabilities that are known or forced miss a sum by %.6g", errInfeasible,
					math.Abs(r.value))
			}
			dropped = true
			continue
		case !r.atMost && len(r.index) == 1:
			if err := fix(r.index[0], r.value/r.coef[0]); err != nil {
				return false, err
			}
			dropped = true
			continue
		case lo >= 0 && r.value <= 0, !r.atMost && hi <= 0 && r.value >= 0:
			if math.Abs(r.value) > feasibleTol {
				return false, fmt.Errorf("%w: probabilities would have to be negative", errInfeasible)
			}
			for _, node := range r.index {
				if err := fix(node, 0); err != nil {
					return false, err
				}
			}
			dropped = true
			continue
		case r.atMost && hi <= 0 && r.value >= 0: // always true
			dropped = true
			continue
		}
		kept = append(kept, r)
	}
	p.relations = kept
	if len(value) > 0 {
		p.rewrite(func(r *relation, i int) {
			if v, ok := value[r.index[i]]; ok {
				size := math.Abs(r.value)
				r.value -= r.coef[i] * v
				if math.Abs(r.value) <= equalTol*min(1, max(size, math.Abs(r.coef[i]*v))) {
					r.value = 0
				}
				r.coef[i] = 0
			}
		})
	}
	return dropped, nil
}
