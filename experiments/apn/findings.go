package apn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// A clinic is a network of two layers in the manner of CPCS (R95 §2, §6): diseases, which are never
// observed, and findings, each of which is a noisy-OR of a few of them.
type clinic struct {
	net      *bn.Network
	diseases int // the first variables
	findings []string
	families []learn.ParametricCPD
	links    int // parameters of the noisy-ORs, leaks among them
}

// newClinic draws a network: for each finding between the fewest and the most parents.
func newClinic(c Findings, rng *rand.Rand) (*clinic, error) {
	names, parents := []string{}, [][]int{}
	for d := range c.Diseases {
		names, parents = append(names, fmt.Sprintf("disease %d", d+1)), append(parents, nil)
	}
	out := &clinic{diseases: c.Diseases}
	for f := range c.Findings {
		name := fmt.Sprintf("finding %d", f+1)
		causes := rng.Perm(c.Diseases)[:c.Fewest+rng.IntN(c.Most-c.Fewest+1)]
		slices.Sort(causes)
		names, parents = append(names, name), append(parents, causes)
		out.findings = append(out.findings, name)
		out.families = append(out.families, learn.NoisyORCPD{Child: name, Leak: true})
		out.links += len(causes) + 1
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	vars := make([]bn.Variable, len(names))
	for v, name := range names {
		vars[v] = bn.Discrete(name, "absent", "present")
	}
	if out.net, err = bn.NewNetwork(dag, vars); err != nil {
		return nil, err
	}
	out.draw(out.net, rng)
	return out, nil
}

// draw fills in the tables of a network of this structure. Diseases are present in 5 to 30 % of
// the cases, links are between 0.2 and 0.9, leaks between 0.01 and 0.1, all uniformly.
func (c *clinic) draw(net *bn.Network, rng *rand.Rand) {
	for v := range net.Len() {
		t := net.CPT(v)
		if v < c.diseases {
			p := 0.05 + 0.25*rng.Float64()
			t.P[0], t.P[1] = 1-p, p
			continue
		}
		inhibitions := make([]float64, len(t.Parents))
		for i := range inhibitions {
			inhibitions[i] = 1 - (0.2 + 0.7*rng.Float64())
		}
		noisyOR(t, 1-(0.01+0.09*rng.Float64()), inhibitions)
	}
}

// noisyOR fills in the table of a finding: absent with probability leak · Π over present parents
// of their inhibitions, all being probabilities that a cause fails.
func noisyOR(t *bn.CPT, leak float64, inhibitions []float64) {
	for config := range t.Configs().Len() {
		absent := leak
		for i, state := range t.Configs().States(nil, config) {
			if state == 1 {
				absent *= inhibitions[i]
			}
		}
		row := t.Row(config)
		row[0], row[1] = absent, 1-absent
	}
}

// Names of the ways to learn a clinic. The first two begin with a random network of the truth's
// kind, in which diseases and leaks are rare: the rough magnitudes that an expert knows.
// The third begins with links and leaks about one half.
const (
	noisyName = "APN, noisy-OR"
	freeName  = "APN, free tables"
	blindName = "APN, noisy-OR, begun without knowledge"
)

// virtual cases in each table entry keep the likelihood of test cases finite where few
// cases have shown no exception.
const virtual = 0.1

// A Fourth is what findings teach; NLL is in nats per case, by way, size and replicate.
type Fourth struct {
	Names        []string // the ways, and the truth
	Sizes        []int
	NLL          [][][]float64
	Links, Cells int // parameters of the findings: noisy-ORs in the first draw, and free tables
}

// fourth learns clinics from few parameters and from free tables.
func fourth(ctx context.Context, job *run.Job, c Findings) (*Fourth, error) {
	r := &Fourth{Names: []string{noisyName, freeName, blindName, "truth"}, Sizes: c.Sizes}
	for range r.Names {
		way := make([][]float64, len(c.Sizes))
		for i := range way {
			way[i] = make([]float64, c.Draws)
		}
		r.NLL = append(r.NLL, way)
	}
	return r, job.Replicates(ctx, "findings", c.Draws, func(replicate int, src *rand.PCG) error {
		clinic, err := newClinic(c, rand.New(job.Source(findingsStream, replicate)))
		if err != nil {
			return err
		}
		if replicate == 0 {
			r.Links, r.Cells = clinic.links, clinic.net.FreeParameters()-c.Diseases
		}
		most := c.Sizes[len(c.Sizes)-1]
		complete, err := data.Sample(clinic.net, most+c.Test, job.Source(findingsStream+1, replicate))
		if err != nil {
			return err
		}
		cases, err := complete.Keep(clinic.findings...)
		if err != nil {
			return err
		}
		test := cases.Select(cases.Complement(firstRows(most)))
		guess := clinic.net.Clone()
		clinic.draw(guess, rand.New(job.Source(findingsStream+2, replicate)))
		ways := []struct {
			method learn.Method
			from   *bn.Network
		}{
			{learn.APN{CPDs: clinic.families, Pseudocount: virtual}, guess},
			{learn.APN{Pseudocount: virtual}, guess},
			{learn.APN{CPDs: clinic.families, Pseudocount: virtual}, nil},
		}
		seed, at := run.State(job.Source(findingsStream+3, replicate))
		for i, size := range c.Sizes {
			for k, w := range ways {
				fit, err := learn.Fit(ctx, clinic.net, cases.Head(size), w.method, &learn.Settings{
					Workers: 1, Starts: 1, From: w.from, Seed: seed, Stream: at,
					MaxIterations: maxIterations, Tolerance: tolerance,
				})
				if err != nil {
					return err
				}
				if r.NLL[k][i][replicate], err = testNLL(fit.Net, test); err != nil {
					return err
				}
			}
			if r.NLL[len(ways)][i][replicate], err = testNLL(clinic.net, test); err != nil {
				return err
			}
		}
		return nil
	})
}

// testNLL is the mean negative log-likelihood of the observed cells of a case, natural logarithm, with
// table entries of at least [floor].
func testNLL(net *bn.Network, test *data.Table) (float64, error) {
	plan, err := infer.NewPlan(net, test, &infer.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	net = floored(net)
	theta := make([]float64, 0, net.Layout().Len())
	for v := range net.Len() {
		theta = append(theta, net.CPT(v).P...)
	}
	loglik, err := plan.LogLikelihood(theta)
	return -loglik / plan.Weight(), err
}

// firstRows are the numbers of the first n rows.
func firstRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
