package presolve

import (
	"fmt"
	"math"
)

// settle fixes what a relation alone determines: a single node of an equality, and nodes
// that add up to at most zero. (N06 §4.3, type 1.)
func (p *Program) settle() (bool, error) {
	value := make(map[int]float64)
	fix := func(node int, v float64) error {
		if v < 0 {
			if v < -FeasibleTol {
				return fmt.Errorf("%w: a probability would have to be %.6g", ErrInfeasible, v)
			}
			v = 0
		}
		if old, ok := value[node]; ok {
			if math.Abs(old-v) > FeasibleTol*max(1, math.Abs(v)) {
				return fmt.Errorf("%w: a probability would have to be both %.6g and %.6g", ErrInfeasible, old, v)
			}
			return nil
		}
		value[node] = v
		p.Steps = append(p.Steps, &Fixed{Node: node, Value: v})
		return nil
	}
	dropped := false
	kept := p.Relations[:0]
	for _, r := range p.Relations {
		lo, hi := 0.0, 0.0 // signs of the coefficients
		for _, c := range r.Coef {
			lo, hi = min(lo, c), max(hi, c)
		}
		switch {
		case r.Price > 0:
			if len(r.Index) == 0 { // paid or not, whatever the data
				dropped = true
				continue
			}
		case len(r.Index) == 0:
			if r.Value < -FeasibleTol || !r.AtMost && r.Value > FeasibleTol {
				return false, fmt.Errorf("%w: probabilities that are known or forced miss a sum by %.6g", ErrInfeasible,
					math.Abs(r.Value))
			}
			dropped = true
			continue
		case !r.AtMost && len(r.Index) == 1:
			if err := fix(r.Index[0], r.Value/r.Coef[0]); err != nil {
				return false, err
			}
			dropped = true
			continue
		case lo >= 0 && r.Value <= 0, !r.AtMost && hi <= 0 && r.Value >= 0:
			if math.Abs(r.Value) > FeasibleTol {
				return false, fmt.Errorf("%w: probabilities would have to be negative", ErrInfeasible)
			}
			for _, node := range r.Index {
				if err := fix(node, 0); err != nil {
					return false, err
				}
			}
			dropped = true
			continue
		case r.AtMost && hi <= 0 && r.Value >= 0: // always true
			dropped = true
			continue
		}
		kept = append(kept, r)
	}
	p.Relations = kept
	if len(value) > 0 {
		p.rewrite(func(r *Relation, i int) {
			if v, ok := value[r.Index[i]]; ok {
				size := math.Abs(r.Value)
				r.Value -= r.Coef[i] * v
				if math.Abs(r.Value) <= EqualTol*min(1, max(size, math.Abs(r.Coef[i]*v))) {
					r.Value = 0
				}
				r.Coef[i] = 0
			}
		})
	}
	return dropped, nil
}
