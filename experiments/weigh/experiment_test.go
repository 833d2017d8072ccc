package weigh

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny() Config {
	return Config{
		Wrong: []int{0, 2}, Sizes: []int{10}, Replicates: 2, Strengths: []float64{0.8},
		Domains: []DomainSize{{"iris", 2, []int{10}}}, StrengthSize: 10, StrengthDraws: 1, TestCases: 50,
		PriorDraws: 2, PriorSizes: []int{20}, SharingSizes: []int{20, 50}, SharingReplicates: 2,
		Interviews: 2, InterviewCases: 10, Audits: 1, Prices: []float64{1, 10}, Simulations: 10, Draws: 200,
	}
}

func TestSameBytes(t *testing.T) {
	runtest.WithoutData(t)
	dir, _ := runtest.Once(t, runtest.With(Experiment{}, tiny(), reproduce))
	runtest.Files(t, dir, "weigh-truths.png", "weigh-strengths.svg", "weigh-domains-10.png", "weigh-holds.png",
		"weigh-sharing.svg",
		"weigh-elicit.csv", "weigh-elicit.png", "verdict-words.csv", "verdict-words.svg")
	runtest.Tables(t, dir, map[string]runtest.Table{
		"weigh-truths.csv": {Header: "wrong_statements,examples,learner,log_score_nats,over_none_nats,over_none_low," +
			"over_none_high,auc,auc_over_none,auc_over_none_low,auc_over_none_high,replicates", Rows: 2 * 6},
		"weigh-domains.csv": {Header: "domain,examples,learner,log_score_nats,over_none_nats,over_none_low," +
			"over_none_high,auc,auc_over_none,auc_over_none_low,auc_over_none_high,replicates", Rows: 6},
		"weigh-statements.csv": {Header: "of,examples,statement,holds_before,holds_after,replicates", Rows: 5 + 5 + 6},
		"weigh-sharing.csv": {Header: "truth,examples,learner,kl_nats,over_that_of_none,low,high,replicates",
			Rows: 3 * 2 * 3},
	})
}

func TestRefuses(t *testing.T) {
	runtest.WithoutData(t)
	runtest.Refuses(t, Compute, tiny())
}

// TestWithoutData: a domain whose data cannot be had is n/a, and so is what is said of all domains.
func TestWithoutData(t *testing.T) {
	runtest.WithoutData(t)
	c := tiny()
	c.Domains = append(c.Domains, DomainSize{"heart", 2, []int{10}})
	r := &Results{Config: c}
	var err error
	if r.Domains, err = computeDomains(t.Context(), &run.Job{Seed: 1, Workers: 2}, c); err != nil {
		t.Fatal(err)
	}
	if r.Domains[0].Missing != nil || r.Domains[1].Missing == nil {
		t.Fatalf("missing: iris %v, heart %v", r.Domains[0].Missing, r.Domains[1].Missing)
	}
	claims := runtest.Claims(t, func(job *run.Job) error {
		r.domainClaims(job)
		return job.SaveTable("weigh-domains.csv", r.domainTable())
	})
	for _, c := range claims {
		if c.Holds != run.NotJudged {
			t.Errorf("%q is %s without the data of heart", c.Claim, c.Holds)
		}
	}
}

// TestTruths: what is said of a noisy-OR holds in it, and what is turned round does not.
func TestTruths(t *testing.T) {
	for seed := range uint64(20) {
		truth, err := drawTruth(rand.New(rand.NewPCG(seed, 0)), causes)
		if err != nil {
			t.Fatal(err)
		}
		var theta []float64
		for v := range truth.Len() {
			theta = append(theta, truth.CPT(v).P...)
		}
		for wrong := range 3 {
			broken := 0
			for _, s := range said(wrong) {
				p, err := constraint.CompilePenalty(truth, s)
				if err != nil {
					t.Fatal(err)
				}
				if p.Largest(theta) > 1e-12 {
					broken++
				}
			}
			if broken != wrong {
				t.Errorf("seed %d: %d statements broken, want %d", seed, broken, wrong)
			}
		}
		sum := 0.0
		for _, w := range weightsOf(truth.CPT(causes)) {
			sum += w
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("weights sum to %v", sum)
		}
	}
}

// TestScore by hand: two rows of which the first is predicted with .2 and the second with .7.
func TestScore(t *testing.T) {
	got, err := score([]float64{.8, .2, .3, .7}, []float64{.4, .1, .2, .3})
	if err != nil {
		t.Fatal(err)
	}
	want := .4*math.Log(.8) + .1*math.Log(.2) + .2*math.Log(.3) + .3*math.Log(.7)
	auc := (.3*(.4+.2/2) + .1*.4/2) / (.4 * .6) // pairs in the right order, ties by half
	if math.Abs(got.LogScore-want) > 1e-12 || math.Abs(got.AUC-auc) > 1e-12 {
		t.Errorf("%+v, want log score %v and AUC %v", got, want, auc)
	}
}

// TestLearners: without statements that matter all learners agree with the counts, and each does what its name says.
func TestLearners(t *testing.T) {
	truth, err := drawTruth(rand.New(rand.NewPCG(1, 0)), causes)
	if err != nil {
		t.Fatal(err)
	}
	// In each row 30 of 40 cases are yes if X1 is present, and 10 if not: an influence of X1, none of the others.
	cases := even(t, truth)
	c := tiny()
	fit := func(l string, statements ...constraint.Constraint) []float64 {
		s := &study{truth, causes, statements, c}
		table, _, err := s.fit(t.Context(), l, cases, rand.NewPCG(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	down := constraint.Influence{Parent: "X1", Child: "Y", Sign: constraint.Negative}
	const low, high = 11.0 / 42, 31.0 / 42 // with one case in each cell
	for l, want := range map[string][2]float64{none: {low, high}, averaged: {low, high}, dropped: {low, high},
		withStrength(.8): {low, high}} {
		table := fit(l, down)
		if math.Abs(table[1]-want[0]) > 1e-6 || math.Abs(table[17]-want[1]) > 1e-6 {
			t.Errorf("%s: %v and %v, want %v", l, table[1], table[17], want)
		}
	}
	if table := fit(all, down); math.Abs(table[1]-table[17]) > 0.2 || table[1] < table[17] {
		t.Errorf("all believed: %v and %v", table[1], table[17])
	}
	if table := fit(priced, down); table[1] < low+0.001 || table[1] > 0.5 || math.Abs(table[1]+table[17]-1) > 1e-9 {
		t.Errorf("at a price: %v and %v, want between %v and one half, and one less that", table[1], table[17], low)
	}
	if table := fit(priced, constraint.Influence{Parent: "X1", Child: "Y"}); math.Abs(table[1]-low) > 1e-6 {
		t.Errorf("at a price, what costs nothing: %v, want %v", table[1], low)
	}
	if table := fit(all, constraint.Influence{Parent: "X1", Child: "Y"}); math.Abs(table[17]-high) > 0.02 {
		t.Errorf("a true statement that costs nothing: %v, want about %v", table[17], high)
	}
}

// TestPrior: drawn statements hold as often as the prior says. With h = 1/16 of an influence to hold by chance alone,
// and more given the others: at least strength, so .8·.8 + .2·.2 = .68 imposed.
func TestPrior(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	held, n := 0, 300
	for range n {
		_, holds, err := drawPrior(rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range holds {
			if h {
				held++
			}
		}
	}
	// The prior “holds” of the library for the same statements.
	s := study{child: priorCauses, config: Config{}}
	var err error
	if s.net, err = causesNet(priorCauses); err != nil {
		t.Fatal(err)
	}
	for i := range priorCauses {
		s.statements = append(s.statements, constraint.Influence{Parent: s.net.Variable(i).Name, Child: "Y"})
	}
	_, w, err := s.fit(t.Context(), averaged, even(t, s.net), rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := w.Statements[0].Before
	share := float64(held) / float64(3*n)
	if want < 0.68 || math.Abs(share-want) > 4*math.Sqrt(want*(1-want)/float64(n)) {
		t.Errorf("%v of the statements hold, want %v", share, want)
	}
}

func TestBinned(t *testing.T) {
	b := binned([]Opinion{{0, false}, {0.05, true}, {0.95, true}, {1, true}, {1, false}})
	if b[0].N != 2 || math.Abs(b[0].Mean-0.025) > 1e-15 || b[0].Share != 0.5 || b[9].N != 3 ||
		math.Abs(b[9].Share-2.0/3) > 1e-15 || b[5].N != 0 {
		t.Errorf("%+v", b)
	}
}

// even are 40 cases in each row of the table of Y, 30 of them yes where X1 is present and 10 where not.
func even(t *testing.T, net *bn.Network) *data.Table {
	t.Helper()
	n := net.Len()
	columns := make([][]bn.State, n)
	table := net.CPT(n - 1)
	states := make([]int, n-1)
	for config := range table.Configs().Len() {
		table.Configs().States(states, config)
		for k := range 40 {
			for v, state := range states {
				columns[v] = append(columns[v], bn.State(state))
			}
			y := bn.State(0)
			if k < 10+20*states[0] {
				y = 1
			}
			columns[n-1] = append(columns[n-1], y)
		}
	}
	var list []data.Column
	for v := range n {
		list = append(list, data.Column{Var: net.Variable(v), States: columns[v]})
	}
	made, err := data.New(list...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
