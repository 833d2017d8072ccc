package graphs

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/experiments/run"
)

// A Cause is what was proposed for one set of cases of R95's 3-1-3.
type Cause struct {
	Proposed bool // a hidden variable
	Exact    bool // its children are the three effects
}

// effects are those of the planted cause.
var effects = []string{"O1", "O2", "O3"}

// drawPlanted draws the network of R95 Figure 2(a), three variables of three states above a hidden one of two and
// three below it, with rows drawn uniformly.
func drawPlanted(rng *rand.Rand) (*bn.Network, error) {
	var vars []bn.Variable
	for _, name := range []string{"I1", "I2", "I3", "O1", "O2", "O3"} {
		vars = append(vars, bn.Discrete(name, "1", "2", "3"))
	}
	net, err := bn.New("[I1][I2][I3][H|I1:I2:I3][O1|H][O2|H][O3|H]", append(vars, bn.Discrete("H", "1", "2"))...)
	if err != nil {
		return nil, err
	}
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				sum += row[i]
			}
			for i := range row {
				row[i] /= sum
			}
		}
	}
	return net, nil
}

// computeHidden removes the hidden variable's column and lets structural EM propose one; by size and draw.
func computeHidden(ctx context.Context, job *run.Job, c Config) ([][]Cause, error) {
	all := make([][]Cause, c.HiddenDraws)
	err := job.Replicates(ctx, "hidden cause", c.HiddenDraws, func(draw int, _ *rand.PCG) error {
		src := job.Source(hiddenStream, draw)
		truth, err := drawPlanted(rand.New(src))
		if err != nil {
			return err
		}
		full, err := data.Sample(truth, c.HiddenSizes[len(c.HiddenSizes)-1], src)
		if err != nil {
			return err
		}
		cases, err := full.Keep("I1", "I2", "I3", "O1", "O2", "O3")
		if err != nil {
			return err
		}
		for _, n := range c.HiddenSizes {
			r, err := incomplete.StructuralEM{Propose: 1}.Learn(ctx, cases.Head(n),
				structure.BIC{}, structure.HillClimb{Orders: c.Orders}, &structure.Settings{Workers: 1})
			if err != nil {
				return err
			}
			one := Cause{Proposed: len(r.Hidden) > 0}
			if one.Proposed {
				at, err := r.DAG.Index(r.Hidden[0])
				if err != nil {
					return err
				}
				one.Exact = isCause(r.DAG, at)
			}
			all[draw] = append(all[draw], one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	bySize := make([][]Cause, len(c.HiddenSizes))
	for i := range bySize {
		for _, d := range all {
			bySize[i] = append(bySize[i], d[i])
		}
	}
	return bySize, nil
}

// isCause reports whether the children of a variable are the three effects.
func isCause(g *bn.DAG, v int) bool { return are(g, g.Children(v), effects) }

// isEffect reports whether the parents of a variable are the three causes.
func isEffect(g *bn.DAG, v int) bool { return are(g, g.Parents(v), theCauses) }

// are reports whether variables have the names, which are sorted.
func are(g *bn.DAG, vars []int, names []string) bool {
	var found []string
	for _, v := range vars {
		found = append(found, g.Name(v))
	}
	slices.Sort(found)
	return slices.Equal(found, names)
}

// exact are 1 where the cause was found, by draw.
func exact(list []Cause) []float64 {
	out := make([]float64, len(list))
	for i, c := range list {
		if c.Exact {
			out[i] = 1
		}
	}
	return out
}
