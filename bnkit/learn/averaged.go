package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/num"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// Averaged weighs statements instead of believing them: it is the posterior mean of the tables, averaged over which of
// the statements are imposed on the Dirichlet prior of [PosteriorMean]. A subset S of them has the weight
//
//	w(S) ∝ π(S) · P(cases | S),
//
// its prior probability by the strengths times the marginal likelihood of [constraint.Problem.LogMarginal]. What the
// data made of each statement is in Result.Weighing.
//
// Statements that are linked by a distribution they share form a group; up to eight in a group all subsets are
// weighed, beyond that those which a random walk over subsets finds. Marginal likelihoods are closed forms where each
// distribution is in one inequality at most, as under one influence on a table with two states of the child and of the
// parent; otherwise they are simulated, roughly for all and finely for those that matter. Subsets that leave no
// volume, such as two opposite influences, which force independence, have no weight.
//
// Strengths are for inequalities: influences, synergies, orders, bounds and linear sums. An equality holds with
// probability 0 under a density, so no data can tell how probable it is: it needs strength 1. Inequalities about the
// same distributions are weighed inside what it leaves, where that are independent shares: known values, equal or
// proportional states, and rows that are the same. Other equalities, such as sums over two rows, are an error beside
// doubtful inequalities. The zero value of the other fields has the defaults of each.
//
// Missing cells are drawn from their posterior (data augmentation, Tanner and Wong 1987): given the tables the cells of
// each case are drawn; given the completed cases the subsets have the weights above, of which one is drawn, and tables
// under it. Four chains, half of which begin under all statements, go on until the probability of each statement has a
// standard error of at most 0.008, or for 4,096 sweeps in all; Belief.StdErr has the error that was reached, and
// Means.StdErr that of the tables. A done context ends them with what they have seen by then, if that is 64 sweeps of
// each, and the status [Interrupted]. A variable that no row observes is an error: the mean over names of its states
// says nothing. With Settings.SkipMissing rows are left out instead.
//
// No statement costs much when it is wrong: the log-probability that the average gives to the cases is below that of
// any subset by −log π(S) nats at most, which is 3.2 nats for none of seven likely statements, and 11.3 without the
// poor source (see Independent).
type Averaged struct {
	Constraints []constraint.Constraint
	// Strengths are the prior probabilities that each of Constraints is imposed, as of knowledge.File.Strengths: 1 is
	// certain, 0 leaves it out. A statement that is not imposed may hold by chance. Nil is 0.8 for inequalities and 1
	// for others.
	Strengths []float64
	// Independent takes the strengths at their word, independently. By default the source may be poor, with
	// probability 0.2, and its statements then are imposed with probability 0.2, or their strength if that is less,
	// or 1:
	//
	//	π(S) = 0.8 Π (s or 1−s) + 0.2 Π (0.2 or 0.8)
	Independent bool
	// Pseudocount and Alpha are as in [PosteriorMean].
	Pseudocount float64
	Alpha       map[string][]float64
	// Draws of the tables that are simulated; 0 means 20,000. More are made where verdicts would be uncertain by more
	// than 0.01. Seed is theirs.
	Draws int
	Seed  uint64
}

// The mixture of a reliable and a poor source.
const (
	defaultStrength = 0.8
	poorSource      = 0.2 // probability of one
	poorStrength    = 0.2 // of its statements
	defaultWeighing = 20_000
)

var (
	_ estimator = Averaged{}
	_ fitter    = Averaged{}
	_ preparer  = Averaged{}
)

// String names the method and its prior.
func (m Averaged) String() string {
	n := 0
	for i := range m.Constraints {
		if m.isOpen(i) {
			n++
		}
	}
	text := fmt.Sprintf("posterior mean averaged over which of %d statements are imposed, %s", n, m.prior().priors())
	if m.Independent {
		text += ", strengths independent"
	}
	return text + under(m.statements())
}

func (m Averaged) prior() MAP { return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha} }

// strength of a statement.
func (m Averaged) strength(i int) float64 {
	switch {
	case m.Strengths != nil:
		return m.Strengths[i]
	case constraint.IsInequality(m.Constraints[i]):
		return defaultStrength
	}
	return 1
}

// isOpen reports whether a statement is weighed.
func (m Averaged) isOpen(i int) bool { s := m.strength(i); return s > 0 && s < 1 }

// statements are those that are certain.
func (m Averaged) statements() []constraint.Constraint {
	var list []constraint.Constraint
	for i, s := range m.Constraints {
		if m.strength(i) == 1 {
			list = append(list, s)
		}
	}
	return list
}

func (m Averaged) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m Averaged) check() error {
	if m.Strengths != nil && len(m.Strengths) != len(m.Constraints) {
		return fmt.Errorf("learn: %d Strengths for %d Constraints; give one for each, or nil for the defaults",
			len(m.Strengths), len(m.Constraints))
	}
	for i, c := range m.Constraints {
		if s := m.strength(i); !(s >= 0 && s <= 1) {
			return say.Errorf("learn: the strength of %q is %v; give a probability", c, s)
		}
		if _, priced := statement.As[constraint.AtPrice](c); priced {
			return say.Errorf("learn: %q has a price, which is no probability; give the statement itself and a "+
				"strength, or fit by learn.MAP", c)
		}
	}
	if m.Draws < 0 {
		return fmt.Errorf("learn: Draws is %d; give a positive number, or 0 for %d", m.Draws, defaultWeighing)
	}
	return m.prior().check()
}

// weighing lists the statements that are weighed.
func (m Averaged) weighing() *Weighing {
	w := &Weighing{Independent: m.Independent}
	for i, s := range m.Constraints {
		if m.isOpen(i) {
			w.Statements = append(w.Statements, Belief{Statement: s, Strength: m.strength(i)})
		}
	}
	return w
}

// prepared finds what is wrong with the statements that are weighed, and with those that are left out.
func (m Averaged) prepared(net *bn.Network, _ *constraint.Problem) (Method, error) {
	for i, s := range m.Constraints {
		if m.strength(i) > 0 {
			continue
		}
		if _, _, err := constraint.BindWeights(net, s); err != nil {
			return m, say.Errorf("learn: statement %d, of strength 0: %w", i+1, err)
		}
	}
	_, _, err := m.weighing().groups(net, m.statements())
	return m, err
}

func (m Averaged) estimate(p *constraint.Problem, net *bn.Network, n []float64) (*constraint.Solution, error) {
	a, err := m.average(context.Background(), p, net, n, 0)
	if err != nil {
		return nil, err
	}
	return &constraint.Solution{Theta: a.theta}, nil
}

// search is the whole fit to counts.
func (m Averaged) search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result, error) {
	a, err := m.average(ctx, p.tables, p.net, c.N, p.workers)
	if err != nil {
		return nil, err
	}
	done := *p
	done.method = found{m, &constraint.Solution{Theta: a.theta}}
	r, err := done.fit(ctx, c, moments)
	if err != nil {
		return nil, err
	}
	r.Solution, r.Pseudocounts = nil, a.pseudo
	r.Means = &Means{Draws: m.Draws, Seed: m.Seed, StdErr: a.stderr}
	r.Weighing = a.weighing
	return r, nil
}

// An average is what [Averaged] finds.
type average struct {
	theta, pseudo []float64
	stderr        float64
	weighing      *Weighing
}

func (m Averaged) average(ctx context.Context, p *constraint.Problem, net *bn.Network, n []float64,
	workers int) (*average, error) {
	a, err := m.averaging(p, net)
	if err != nil {
		return nil, err
	}
	draws := m.Draws
	if draws == 0 {
		draws = defaultWeighing
	}
	set := &constraint.Sampling{Src: rand.NewPCG(m.Seed, 1)}
	return a.of(ctx, n, set, weigh.Options{Draws: draws, Seed: m.Seed, Workers: workers})
}

// An averaging is [Averaged] for a network, before it has counts.
type averaging struct {
	m      Averaged
	net    *bn.Network
	pseudo []float64
	groups []*group
	base   *constraint.Problem // of the certain statements about other distributions
	known  map[[7]float64]float64
}

func (m Averaged) averaging(p *constraint.Problem, net *bn.Network) (*averaging, error) {
	pseudo, err := m.prior().pseudocounts(p, net)
	if err != nil {
		return nil, err
	}
	groups, base, err := m.weighing().groups(net, m.statements())
	return &averaging{m: m, net: net, pseudo: pseudo, groups: groups, base: base}, err
}

// of averages given counts; the seed of the options is that of the first group.
func (a *averaging) of(ctx context.Context, n []float64, set *constraint.Sampling, o weigh.Options) (*average, error) {
	out := &average{theta: make([]float64, len(n)), pseudo: a.pseudo, weighing: a.m.weighing()}
	var err error
	if out.stderr, err = a.base.PosteriorMean(ctx, out.theta, n, a.pseudo, set); err != nil {
		return nil, say.Errorf("learn: no posterior mean: %w", err)
	}
	seed := o.Seed
	for g, group := range a.groups {
		o.LogPrior, o.Seed = group.logPrior(out.weighing), seed+uint64(g)*0x9e3779b97f4a7c15
		problem := group.problem(n, a.pseudo)
		problem.Known = a.known
		list, err := weigh.Weigh(ctx, problem, o)
		if err != nil {
			return nil, say.Errorf("learn: while statements were weighed: %w", err)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("learn: %w: the certain statements leave no volume to weigh others in, as opposite "+
				"influences do; leave one of them out", constraint.ErrNoPrior)
		}
		group.list = list
	}
	out.weighing.conclude(a.groups)
	for _, group := range a.groups {
		mean := make([]float64, len(group.free.alpha))
		out.stderr = max(out.stderr, weigh.Mean(mean, group.list, group.weights))
		for i, x := range group.spread(mean, 1) {
			out.theta[group.cells[i]] = x
		}
	}
	return out, nil
}

// logStrength is the log prior of a subset given as bits, of statements with these strengths, by a reliable or a
// poor source.
func logStrength(imposed uint64, strengths []float64, isPoor bool) float64 {
	total := 0.0
	for i, s := range strengths {
		if isPoor {
			s = math.Min(s, poorStrength)
		}
		if imposed>>i&1 == 0 {
			s = 1 - s
		}
		total += math.Log(s)
	}
	return total
}

// logPrior is that of subsets of a group, from whatever source.
func (g *group) logPrior(w *Weighing) func(uint64) float64 {
	strengths := g.strengths(w)
	return func(imposed uint64) float64 {
		reliable := logStrength(imposed, strengths, false)
		if w.Independent {
			return reliable
		}
		return num.LogSum(math.Log(1-poorSource)+reliable, math.Log(poorSource)+logStrength(imposed, strengths, true))
	}
}

// rowsOf are the distributions that bounds link, each once.
func rowsOf(bounds []constraint.Bound) []constraint.Row {
	var list []constraint.Row
	for _, b := range bounds {
		for _, r := range b.Links {
			if !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}
