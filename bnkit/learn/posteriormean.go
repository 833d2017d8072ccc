package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// PosteriorMean is the posterior mean of the tables, from complete cases or their counts, under a Dirichlet prior
// restricted to the statements (N06 §3.2): the probability of each state for the next case. A free row is
//
//	(N + Pseudocount + 1) / Σ (N + Pseudocount + 1).
//
// It is a closed form where [constraint.Problem.PosteriorMean] has one, and otherwise the mean of draws, whose standard
// error is in Result.Means; when a done context ends them, it is the mean of those made by then, with the status
// [Interrupted]. The zero value has the uniform density of each row, the prior of the K2 score. A noisy-OR
// or a formula has no density and is an error ([constraint.ErrNoPrior]). Linear-Gaussian nodes have no prior here and
// are fitted by least squares, as by [ML].
type PosteriorMean struct {
	// Pseudocount is as in [MAP]: a Dirichlet count of Pseudocount + 1 for each cell. The mean adds all of that to
	// a count, the mode only Pseudocount.
	Pseudocount float64
	Alpha       map[string][]float64 // as in MAP
	Constraints []constraint.Constraint
	// Draws where there is no closed form; 0 means 4000. Seed is theirs, as in rand.NewPCG(Seed, 0).
	Draws int
	Seed  uint64
}

// BDeu is [PosteriorMean] with a Dirichlet count of EquivalentSampleSize/cells for each entry of a table, as many
// cases for each family (Heckerman, Geiger and Chickering 1995, Eq. 28): what bn.fit(method = "bayes") of bnlearn
// estimates, and the prior of the score structure.BDeu.
type BDeu struct {
	EquivalentSampleSize float64 // in cases; 0 means 1
	Constraints          []constraint.Constraint
}

// Means says how posterior means were found.
type Means struct {
	Draws int    `json:"draws,omitempty"` // as in [PosteriorMean]
	Seed  uint64 `json:"seed,omitempty"`
	// StdErr is the largest of a table entry, or of the probability that two are tied; 0 for closed forms.
	StdErr float64 `json:"standard_error,omitempty"`
	// Sharing is the method that averaged over what may be tied; nil for any other.
	Sharing *AveragedSharing `json:"sharing,omitempty"`
}

var (
	_ estimator = PosteriorMean{}
	_ fitter    = PosteriorMean{}
	_ preparer  = BDeu{}
)

// String names the method and its prior.
func (m PosteriorMean) String() string {
	return "posterior mean, " + m.prior().priors() + under(m.Constraints)
}

func (m PosteriorMean) prior() MAP {
	return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints}
}

func (m PosteriorMean) statements() []constraint.Constraint { return m.Constraints }

func (m PosteriorMean) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m PosteriorMean) check() error {
	if m.Draws < 0 {
		return fmt.Errorf("learn: Draws is %d; give a positive number, or 0 for 4000", m.Draws)
	}
	return m.prior().check()
}

// mean returns the tables, the prior and the largest standard error. The error of a done context comes with those of
// the draws made by then, if any.
func (m PosteriorMean) mean(ctx context.Context, p *constraint.Problem, net *bn.Network, n []float64) (
	*constraint.Solution, []float64, float64, error) {
	pseudo, err := m.prior().pseudocounts(p, net)
	if err != nil {
		return nil, nil, 0, err
	}
	s := &constraint.Solution{Theta: make([]float64, len(n))}
	set := &constraint.Sampling{Draws: m.Draws, Src: rand.NewPCG(m.Seed, 0)}
	stderr, err := p.PosteriorMean(ctx, s.Theta, n, pseudo, set)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		if err = say.Errorf("learn: no posterior mean: %w", err); math.IsInf(stderr, 1) {
			return nil, nil, 0, err
		}
		return s, pseudo, stderr, err
	}
	if err != nil {
		return nil, nil, 0, say.Errorf("learn: no posterior mean (learn.MAP finds the mode): %w", err)
	}
	return s, pseudo, stderr, nil
}

func (m PosteriorMean) estimate(p *constraint.Problem, net *bn.Network, n []float64) (*constraint.Solution, error) {
	s, _, _, err := m.mean(context.Background(), p, net, n)
	return s, err
}

// search is the whole fit to counts.
func (m PosteriorMean) search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result, error) {
	s, pseudo, stderr, ended := m.mean(ctx, p.tables, p.net, c.N)
	if s == nil {
		return nil, ended
	}
	done := *p
	done.method = found{m, s}
	r, err := done.fit(ctx, c, moments)
	if err != nil {
		return nil, err
	}
	r.Solution, r.Pseudocounts = nil, pseudo
	r.Means = &Means{Draws: m.Draws, Seed: m.Seed, StdErr: stderr}
	if ended != nil {
		r.Status = Interrupted
	}
	return r, nil
}

// String names the method.
func (m BDeu) String() string {
	return fmt.Sprintf("posterior mean, BDeu with equivalent sample size %g", m.size()) + under(m.Constraints)
}

func (m BDeu) size() float64 {
	if m.EquivalentSampleSize == 0 {
		return 1
	}
	return m.EquivalentSampleSize
}

func (m BDeu) statements() []constraint.Constraint { return m.Constraints }

func (m BDeu) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m BDeu) check() error {
	if size := m.size(); !(size > 0) || math.IsInf(size, 1) {
		return say.Errorf("learn: the equivalent sample size is %v; give a positive number of cases, or 0 for 1", size)
	}
	return nil
}

// prepared spreads the equivalent sample size over the cells of each table.
func (m BDeu) prepared(net *bn.Network, tables *constraint.Problem) (Method, error) {
	mean := PosteriorMean{Alpha: make(map[string][]float64), Constraints: m.Constraints}
	for v := range net.Len() {
		lo, hi := tables.Layout().Family(v)
		for range hi - lo {
			name := net.Variable(v).Name
			mean.Alpha[name] = append(mean.Alpha[name], m.size()/float64(hi-lo))
		}
	}
	return mean, nil
}

// PriorNetwork returns the Dirichlet counts by which a network is prior knowledge that weighs as much as so many
// cases, its equivalent sample size (Heckerman, Geiger and Chickering 1995): for each table entry of net
//
//	α = size · P(child, parents),
//
// P being the joint probability in the prior network, whose rows are divided by their sums. It has the variables
// of net with the same states in the same order, and may have other arcs and more variables. The result is the
// Alpha of [PosteriorMean] and [MAP].
//
// It returns an error for a size that is not positive and finite, a variable that the prior network
// lacks or has with other states, and a joint state that it excludes, which cases could not
// bring back.
func PriorNetwork(net, prior *bn.Network, size float64) (map[string][]float64, error) {
	switch {
	case net == nil || prior == nil:
		return nil, errNoNetwork
	case !(size > 0) || math.IsInf(size, 1):
		return nil, say.Errorf("learn: the equivalent sample size %v must be positive and finite", size)
	}
	if err := prior.Validate(); err != nil {
		return nil, say.Errorf("learn: the prior network: %w", err)
	}
	prior = prior.Clone()
	for v := range prior.Len() {
		if t := prior.CPT(v); t != nil {
			num.DivideRows(t.P, t.Child.Cardinality())
		}
	}
	engine, err := infer.New(prior, nil)
	if err != nil {
		return nil, say.Errorf("learn: the prior network: %w", err)
	}
	alpha := make(map[string][]float64)
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		var names []string
		for _, variable := range append(t.Parents[:len(t.Parents):len(t.Parents)], t.Child) {
			if err := sameStates(variable, prior); err != nil {
				return nil, err
			}
			names = append(names, variable.Name)
		}
		joint, err := engine.Joint(nil, names...)
		if err != nil {
			return nil, say.Errorf("learn: the prior network: %w", err)
		}
		counts := make([]float64, len(joint.P))
		for at, p := range joint.P {
			if !(p > 0) {
				return nil, say.Errorf("learn: the prior network excludes %v of %v, whatever the cases; fit it by "+
					"BDeu, which leaves no zeros", joint.States(at), names)
			}
			counts[at] = size * p
		}
		alpha[t.Child.Name] = counts
	}
	return alpha, nil
}

// sameStates returns an error for a variable that a network lacks, or has otherwise.
func sameStates(v bn.Variable, net *bn.Network) error {
	at, err := net.Index(v.Name)
	if err != nil {
		return say.Errorf("learn: the prior network: %w", err)
	}
	if other := net.Variable(at); !slices.Equal(v.States, other.States) {
		return say.Errorf("learn: %q has the states %v, and %v in the prior network; give both the same in one order",
			v.Name, v.States, other.States)
	}
	return nil
}
