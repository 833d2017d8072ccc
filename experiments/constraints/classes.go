package constraints

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// Models are the estimates that are compared, in this order.
var Models = []string{"free", "constrained"}

// Method is how every estimate of the classes is made: one virtual case in each table
// entry, as in N06 §5.1, and for a linear-Gaussian node a prior that weighs as much: two
// cases for the variance, with a mean square of 1, and one for each weight, in which its
// parent lies 1 from zero. (Changes of stocks are in percent.)
func Method(statements ...constraint.Constraint) learn.MAP {
	return learn.MAP{Pseudocount: 1, Constraints: statements, Gaussian: &constraint.GaussianPrior{Shape: 1, Scale: 1,
		Precision: 1}}
}

// Curves are divergences from the truth in nats, by scene, model (as in [Models]), size
// and replicate.
type Curves struct {
	Scenes []Scene
	Sizes  []int
	KL     [][][][]float64
}

// ComputeClasses draws, for each scene and replicate, one sample whose prefixes are the
// training sets of both models. stream is that of the first scene; each has its own.
func ComputeClasses(ctx context.Context, job *run.Job, step string, scenes []Scene, stream uint32, c Config) (*Curves,
	error) {
	r := &Curves{Scenes: scenes, Sizes: c.Sizes}
	divergences := make([]*Divergence, len(scenes))
	for s, scene := range scenes {
		var err error
		if divergences[s], err = NewDivergence(scene); err != nil {
			return nil, err
		}
		kl := make([][][]float64, len(Models))
		for m := range kl {
			kl[m] = make([][]float64, len(c.Sizes))
			for i := range kl[m] {
				kl[m][i] = make([]float64, c.Replicates)
			}
		}
		r.KL = append(r.KL, kl)
	}
	err := job.Replicates(ctx, step, c.Replicates, func(replicate int, _ *rand.PCG) error {
		for s, scene := range scenes {
			sample, err := data.Sample(scene.Truth, c.Sizes[len(c.Sizes)-1], job.Source(stream+uint32(s), replicate))
			if err != nil {
				return err
			}
			for i, size := range c.Sizes {
				for m, method := range []learn.MAP{Method(), Method(scene.Statements...)} {
					fit, err := learn.Fit(ctx, scene.Truth, sample.Head(size), method, &learn.Settings{Workers: 1})
					if err != nil {
						return err
					}
					if r.KL[s][m][i][replicate], err = divergences[s].Of(fit.Net); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	return r, err
}

// mean is the mean divergence of a scene and model at a size.
func (r *Curves) mean(scene, model, size int) float64 {
	return run.NewBand(r.KL[scene][model][size]).Mean
}

// rounding is the error of a divergence in nats, a sum of at most 36 terms.
const rounding = 1e-12

// worse counts the pairs of a scene, over sizes and replicates, in which the constrained
// estimate is further from the truth than the free one by more than rounding, and all
// pairs.
func (r *Curves) worse(scene int) (worse, pairs int) {
	for i := range r.Sizes {
		for replicate, free := range r.KL[scene][0][i] {
			pairs++
			if r.KL[scene][1][i][replicate] > free+rounding {
				worse++
			}
		}
	}
	return worse, pairs
}
