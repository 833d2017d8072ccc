package graphs

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/experiments/run"
)

// An Opinion is how probable an arc is said to be, and whether it is there.
type Opinion struct {
	Said  float64
	There bool
}

// Opinions are those on the arcs of networks drawn from the prior.
type Opinions struct {
	Posterior, Bootstrap []Opinion
}

// priorScore is the score whose prior networks are drawn from: uniform over graphs, rows from Dirichlet densities.
var priorScore = structure.BDeu{EquivalentSampleSize: 4}

// priorVariables are those of a network drawn from the prior.
const priorVariables = 5

// drawPrior draws a graph uniformly, by rejecting those with cycles, and its binary tables by the score's prior.
func drawPrior(src *rand.PCG) (*bn.Network, error) {
	rng := rand.New(src)
	names := make([]string, priorVariables)
	var vars []bn.Variable
	for v := range names {
		names[v] = variableName(v)
		vars = append(vars, bn.Discrete(names[v], "0", "1"))
	}
	var net *bn.Network
	for net == nil {
		parents := make([][]int, priorVariables)
		for v := range parents {
			for u := range v {
				switch rng.IntN(3) {
				case 0:
					parents[v] = append(parents[v], u)
				case 1:
					parents[u] = append(parents[u], v)
				}
			}
		}
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			continue // a cycle
		}
		if net, err = bn.NewNetwork(g, vars); err != nil {
			return nil, err
		}
	}
	for v := range net.Len() {
		t := net.CPT(v)
		a := priorScore.EquivalentSampleSize / float64(2*t.Configs().Len())
		beta := distuv.Beta{Alpha: a, Beta: a, Src: src}
		for config := range t.Configs().Len() {
			p := min(1, max(0, beta.Rand()))
			t.Row(config)[0], t.Row(config)[1] = p, 1-p
		}
	}
	return net, nil
}

// computeOpinions compares exact posterior probabilities of arcs, and bootstrap strengths times directions, with the
// arcs that are there.
func computeOpinions(ctx context.Context, job *run.Job, c Config) (*Opinions, error) {
	all := make([]Opinions, c.PriorDraws)
	err := job.Replicates(ctx, "networks from the prior", c.PriorDraws, func(draw int, _ *rand.PCG) error {
		src := job.Source(priorStream, draw)
		truth, err := drawPrior(src)
		if err != nil {
			return err
		}
		cases, err := data.Sample(truth, c.PriorSizes[len(c.PriorSizes)-1], src)
		if err != nil {
			return err
		}
		for _, n := range c.PriorSizes {
			if err := all[draw].add(ctx, truth, cases.Head(n), c.Replicates, uint64(draw)); err != nil {
				return err
			}
		}
		return nil
	})
	o := &Opinions{}
	for _, d := range all {
		o.Posterior, o.Bootstrap = append(o.Posterior, d.Posterior...), append(o.Bootstrap, d.Bootstrap...)
	}
	return o, err
}

func (o *Opinions) add(ctx context.Context, truth *bn.Network, cases *data.Table, replicates int, seed uint64) error {
	set := &structure.Settings{Workers: 1}
	scorer, err := structure.NewScorer(cases, priorScore, &structure.ScorerOptions{Workers: 1})
	if err != nil {
		return err
	}
	graphs, err := posterior.Learn(ctx, scorer, posterior.Exact{Draws: 1}, set)
	if err != nil {
		return err
	}
	strengths, err := structure.ArcStrengths(ctx, cases, priorScore, structure.HillClimb{Orders: 2},
		structure.Bootstrap{Replicates: replicates, Seed: seed}, set)
	if err != nil {
		return err
	}
	g := truth.DAG()
	for u := range g.Len() {
		for v := range g.Len() {
			if u == v {
				continue
			}
			there := hasArc(g, g.Name(u), g.Name(v))
			p, _ := graphs.Arc(u, v)
			s := strengths.Of(u, v)
			o.Posterior = append(o.Posterior, Opinion{p, there})
			o.Bootstrap = append(o.Bootstrap, Opinion{s.Strength * s.Direction, there})
		}
	}
	return nil
}

// A bin holds opinions of nearly the same probability.
type bin struct {
	Low, High   float64
	N           int
	Mean, Share float64
}

// stderr is the standard error of the share, by the mean that was said.
func (b bin) stderr() float64 { return math.Sqrt(max(b.Mean*(1-b.Mean), 1e-9) / float64(b.N)) }

// binned sorts opinions into tenths.
func binned(list []Opinion) []bin {
	const bins = 10
	out := make([]bin, bins)
	for i := range out {
		out[i].Low, out[i].High = float64(i)/bins, float64(i+1)/bins
	}
	for _, o := range list {
		b := &out[min(bins-1, int(o.Said*bins))]
		b.N++
		b.Mean += o.Said
		if o.There {
			b.Share++
		}
	}
	for i := range out {
		if n := float64(out[i].N); n > 0 {
			out[i].Mean /= n
			out[i].Share /= n
		}
	}
	return out
}
