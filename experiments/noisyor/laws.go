package noisyor

import (
	"context"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// Laws are what the appendices of Y13 prove, seen in the fits to all cases.
type Laws struct {
	// Broken is the largest amount by which a statement on the parents of a set is broken in the whole table of a
	// fit with the noisy-OR (appendix B): a difference of probabilities.
	Broken float64
	// Unforced is the largest amount by which two parents of different sets that act in the same
	// direction are not sub-synergistic in such a fit. Noisy-OR makes them so.
	Unforced float64
	// Reversed is the largest amount by which the target is less probable when all its causes are there than when
	// some are, in a monotone fit (appendix A).
	Reversed float64
	Fits     int
}

// laws fits the learners and measures.
func laws(ctx context.Context, domains []*Domain) (Laws, error) {
	var all Laws
	for _, d := range domains {
		if err := all.add(ctx, d); err != nil {
			return all, say.Errorf("domain %s: %w", d.name, err)
		}
	}
	return all, nil
}

func (w *Laws) add(ctx context.Context, d *Domain) error {
	statements := knowledge.Synergy.Select(d.Knowledge.Statements())
	whole, err := constraint.CompilePenalty(d.Net, statements...)
	if err != nil {
		return err
	}
	across, err := constraint.CompilePenalty(d.Net, d.acrossSets()...)
	if err != nil {
		return err
	}
	for _, l := range []knowledge.Learner{knowledge.Monotone, knowledge.SynergyNoisyOR} {
		fit, err := learn.Fit(ctx, d.Net, d.Cases,
			learn.MAP{Pseudocount: duelPseudocount, Constraints: l.Select(d.Knowledge.Statements())},
			&learn.Settings{Workers: 1})
		if err != nil {
			return err
		}
		w.Fits++
		if l == knowledge.Monotone {
			reversed, err := d.reversed(fit.Net)
			if err != nil {
				return err
			}
			w.Reversed = max(w.Reversed, reversed)
			continue
		}
		theta := tables(fit.Net)
		w.Broken = max(w.Broken, whole.Largest(theta))
		w.Unforced = max(w.Unforced, across.Largest(theta))
	}
	return nil
}

// acrossSets says of all two parents of different sets what the noisy-OR forces: with
// F = Π g_i, F(0,0) + F(1,1) − F(1,0) − F(0,1) = (A(1) − A(0))·(B(1) − B(0)) for two sets A and B.
func (d *Domain) acrossSets() []constraint.Constraint {
	signs := make(map[string]constraint.Sign)
	var sets [][]string
	for _, s := range d.Knowledge.Statements() {
		switch s := s.(type) {
		case constraint.Influence:
			signs[s.Parent] = s.Sign
		case constraint.NoisyOR:
			sets = s.Sets
		}
	}
	var list []constraint.Constraint
	for i, set := range sets {
		for _, a := range set {
			for _, other := range sets[:i] {
				for _, b := range other {
					list = append(list, constraint.Synergy{Parents: []string{a, b}, Child: d.Target,
						Sub: signs[a] == signs[b]})
				}
			}
		}
	}
	return list
}

// reversed is how much more probable than with all its causes the target can be.
func (d *Domain) reversed(net *bn.Network) (float64, error) {
	t, err := net.Table(d.Target)
	if err != nil {
		return 0, err
	}
	all := 0 // the configuration in which every parent raises the target
	for _, s := range d.Knowledge.Statements() {
		if s, ok := s.(constraint.Influence); ok && s.Sign == constraint.Positive {
			for p, parent := range t.Parents {
				if parent.Name == s.Parent {
					all += (parent.Cardinality() - 1) * t.Configs().Stride(p)
				}
			}
		}
	}
	most := 0.0
	for config := range t.Configs().Len() {
		most = max(most, t.P[2*config+1]-t.P[2*all+1])
	}
	return most, nil
}

// tables are those of a network, by its layout.
func tables(net *bn.Network) []float64 {
	theta := make([]float64, net.Layout().Len())
	for v := range net.Len() {
		lo, hi := net.Layout().Family(v)
		copy(theta[lo:hi], net.CPT(v).P)
	}
	return theta
}
