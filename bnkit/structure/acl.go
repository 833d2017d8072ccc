package structure

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/absent"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// ACL is the approximate conditional likelihood of the class of the cases (B06 §2.1 names it
// without a formula). For own counts N and counts M of the other class, scaled to equal
// sizes, and own parameters θ = (N + c)/(N_config + cr),
//
//	one-sided   Σ_config Σ_state (N − M) ln θ
//	symmetric   Σ_config Σ_state (N − M) (ln θ − ln φ),   φ the other class's parameters,
//
// less Penalty·½ ln(N)·q(r−1).
//
// Deviation: this is a reconstruction. The log posterior odds Λ of a case's own class give
// ln P(class | case) = −ln(1 + e^−Λ), whose tangent at Λ = 0 is Λ/2 − ln 2. The sum over the cases of
// both classes of the part linear in Λ is, up to the factor ½, the symmetric form with the same
// parents in both classes. The one-sided form is the part in which the own parameters appear, and lets
// each class have its own graph.
type ACL struct {
	Other       data.Source // cases of the other class, with the same variables
	Penalty     float64     // κ; 0 for none
	Symmetric   bool
	Pseudocount float64 // c, added to each cell so that ln θ is bounded; 0 means 1
	// KeepSizes takes M as counted. Otherwise M is multiplied by own cases over other cases.
	KeepSizes bool
}

// OtherClass returns the cases of the other class.
func (s ACL) OtherClass() data.Source { return s.Other }

// Family scores one family.
func (s ACL) Family(c *Counts) float64 {
	ratio := 1.0
	if !s.KeepSizes && c.OtherRows > 0 {
		ratio = c.Rows / c.OtherRows
	}
	counts := c.Other
	if len(counts) != len(c.N) { // no case of the other class was counted
		counts = make([]float64, len(c.N))
	}
	pseudo := s.pseudocount()
	sum := 0.0
	for row := 0; row < len(c.N); row += c.R {
		own, other := 0.0, 0.0
		for i := row; i < row+c.R; i++ {
			own += c.N[i] + pseudo
			other += ratio*counts[i] + pseudo
		}
		for i := row; i < row+c.R; i++ {
			m := ratio * counts[i]
			log := math.Log((c.N[i] + pseudo) / own)
			if s.Symmetric {
				log -= math.Log((m + pseudo) / other)
			}
			sum += (c.N[i] - m) * log
		}
	}
	return c.Scale*sum - s.Penalty*0.5*math.Log(max(c.Scale*c.Rows, 1))*c.free()
}

func (s ACL) pseudocount() float64 {
	if s.Pseudocount == 0 {
		return 1
	}
	return s.Pseudocount
}

// Bind checks the settings and that the other class has the variables with the same states.
func (s ACL) Bind(vars []bn.Variable) (Score, error) {
	if absent.Is(s.Other) {
		return nil, errors.New("structure: ACL: Other is nil; give the cases of the other class")
	}
	if !(s.Penalty >= 0) || math.IsInf(s.Penalty, 1) {
		return nil, say.Errorf("structure: ACL: the penalty is %v; give a number of at least 0", s.Penalty)
	}
	if !(s.pseudocount() > 0 && s.pseudocount() <= num.MaxTotalWeight) {
		return nil, say.Errorf("structure: ACL: the pseudocount is %v; give a positive number of at most %v, or 0 "+
			"for 1", s.Pseudocount, num.MaxTotalWeight)
	}
	other := make(map[string]bn.Variable)
	for _, v := range s.Other.Variables() {
		other[v.Name] = v
	}
	for _, v := range vars {
		if w, ok := other[v.Name]; !ok || !v.Equal(w) {
			return nil, say.Errorf("structure: ACL: %v is not among the variables of the other class with the same "+
				"states in the same order; read both classes with the same states (data.CSVOptions.States)", v)
		}
	}
	return s, nil
}

func (s ACL) String() string {
	side := "one-sided"
	if s.Symmetric {
		side = "symmetric"
	}
	return fmt.Sprintf("%s ACL (a reconstruction) with penalty %g and pseudocount %g", side, s.Penalty, s.pseudocount())
}
