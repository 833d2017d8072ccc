package structure_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

func parsed(tb testing.TB, csv string) *data.Table {
	tb.Helper()
	t, err := data.ReadCSV(strings.NewReader(csv), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// hand is x given y: N(y=0) = (3, 1), N(y=1) = (0, 2).
const hand = "x,y\na,0\na,0\na,0\nb,0\nb,1\nb,1\n"

func ln(x float64) float64 { return math.Log(x) }

func TestScoresByHand(t *testing.T) {
	table := parsed(t, hand)
	other := parsed(t, "x,y\na,0\nb,1\nb,0\n") // M(y=0) = (1, 1), M(y=1) = (0, 1); doubled to 6 rows
	likelihood := 3*ln(3./4) + ln(1./4)
	for _, test := range []struct {
		score         structure.Score
		family, alone float64 // x given y, and x
	}{
		{structure.LogLikelihood{}, likelihood, 6 * ln(1./2)},
		{structure.BIC{}, likelihood - 0.5*ln(6)*2, 6*ln(1./2) - 0.5*ln(6)},
		{structure.AIC{}, likelihood - 2, 6*ln(1./2) - 1},
		// (r−1)!/(N+r−1)! Π N!: 3!·1!/5! for y=0, 2!/3! for y=1; 3!·3!/7! alone.
		{structure.K2{}, ln(6./120) + ln(2./6), ln(36. / 5040)},
		// Size 4: each cell 1 and each configuration 2, as in K2; alone each cell 2, so
		// 2·3·4 · 2·3·4 / (4·5·6·7·8·9).
		{structure.BDeu{EquivalentSampleSize: 4}, ln(6./120) + ln(2./6), ln(24. * 24 / 60480)},
		{structure.BDeu{}, ln(0.25*1.25*2.25*0.25/(0.5*1.5*2.5*3.5)) + ln(0.25*1.25/(0.5*1.5)),
			ln(0.5 * 1.5 * 2.5 * 0.5 * 1.5 * 2.5 / 720)},
		// θ(y=0) = (4/6, 2/6), θ(y=1) = (1/4, 3/4); N − 2M = (1, −1), (0, 0). Alone θ = (1/2, 1/2).
		{structure.ACL{Other: other}, ln(4./6) - ln(2./6), ln(1./2)*1 - ln(1./2)},
		{structure.ACL{Other: other, KeepSizes: true}, 2*ln(4./6) + ln(3./4), 2*ln(1./2) + ln(1./2)},
		// 2M = (2, 2), (0, 2): φ = (1/2, 1/2), (1/4, 3/4).
		{structure.ACL{Other: other, Symmetric: true}, ln(4./6) - ln(2./6), (ln(1./2) - ln(3./8)) -
			(ln(1./2) - ln(5./8))},
		{structure.ACL{Other: other, Penalty: 3}, ln(4./6) - ln(2./6) - 3*0.5*ln(6)*2, -3 * 0.5 * ln(6)},
		{structure.ACL{Other: other, Pseudocount: 3}, ln(6./10) - ln(4./10), 0},
	} {
		t.Run(test.score.String(), func(t *testing.T) {
			s := scorer(t, table, test.score)
			for parents, want := range map[int]float64{0: test.alone, 1: test.family} {
				got, err := s.Family(context.Background(), 0, []int{1}[:parents])
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, got, want, 1e-12, 1e-12)
			}
		})
	}
}

// The log marginal likelihood is the sum of the log predictive probabilities of the cases one after
// another: (N + α) / (N_config + α_config) from the cases before, α from the prior network.
func TestMarginalLikelihoodIsPredictive(t *testing.T) {
	ctx := context.Background()
	table := randomCases(t, 3, 4, 200)
	vars, columns := table.Variables(), table.Columns()
	model := "[D][A|D][B|A][C|A:B:D]" // the prior network
	prior, err := bn.New(model, vars[3], vars[0], vars[1], vars[2])
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 4))
	for v := range prior.Len() {
		cpt := prior.CPT(v)
		for config := range cpt.Configs().Len() {
			total := 0.0
			for s := range cpt.Row(config) {
				cpt.Row(config)[s] = 0.05 + random.Float64()
				total += cpt.Row(config)[s]
			}
			for s := range cpt.Row(config) {
				cpt.Row(config)[s] /= total
			}
		}
	}
	joint := func(states []bn.State) float64 { // of the prior network, by brute force
		p := 1.0
		for v := range prior.Len() {
			cpt := prior.CPT(v)
			at := make([]int, len(cpt.Parents))
			own := 0
			for i, w := range cpt.Parents {
				at[i] = int(states[position(vars, w.Name)])
			}
			own = int(states[position(vars, cpt.Child.Name)])
			p *= cpt.Row(cpt.Configs().Index(at))[own]
		}
		return p
	}
	const size = 7.5
	for _, test := range []struct {
		score structure.Score
		alpha func(states []bn.State) float64 // of all variables
	}{
		{structure.BDeu{EquivalentSampleSize: size}, func([]bn.State) float64 { return size / cells(vars) }},
		{structure.BDe{EquivalentSampleSize: size}, func([]bn.State) float64 { return size / cells(vars) }},
		{structure.BDe{EquivalentSampleSize: size, Prior: prior},
			func(s []bn.State) float64 { return size * joint(s) }},
	} {
		s := scorer(t, table, test.score)
		var alphas []float64
		eachState(vars, func(states []bn.State) { alphas = append(alphas, test.alpha(states)) })
		for child := range vars {
			for _, parents := range subsetsBySize(others(len(vars), child), 3) {
				got, err := s.Family(ctx, child, parents)
				if err != nil {
					t.Fatal(err)
				}
				// α of a cell and of a configuration: sums over the joint states that agree.
				sumOver := func(row int, of []int) float64 {
					total, at := 0.0, -1
					eachState(vars, func(states []bn.State) {
						at++
						for _, v := range of {
							if states[v] != columns[v].States[row] {
								return
							}
						}
						total += alphas[at]
					})
					return total
				}
				seen := func(row int, of []int) float64 {
					n := 0.0
				before:
					for r := range row {
						for _, v := range of {
							if columns[v].States[r] != columns[v].States[row] {
								continue before
							}
						}
						n++
					}
					return n
				}
				want := 0.0
				family := append([]int{child}, parents...)
				memo := map[[5]bn.State][2]float64{}
				for row := range table.Rows() {
					var key [5]bn.State
					for i, v := range family {
						key[i] = columns[v].States[row]
					}
					alpha, ok := memo[key]
					if !ok {
						alpha = [2]float64{sumOver(row, family), sumOver(row, parents)}
						memo[key] = alpha
					}
					want += ln((seen(row, family) + alpha[0]) / (seen(row, parents) + alpha[1]))
				}
				numtest.Close(t, got, want, 1e-9, 1e-9)
			}
		}
	}
}

func position(vars []bn.Variable, name string) int {
	for i, v := range vars {
		if v.Name == name {
			return i
		}
	}
	return -1
}

func cells(vars []bn.Variable) float64 {
	n := 1.0
	for _, v := range vars {
		n *= float64(v.Cardinality())
	}
	return n
}

// eachState visits every joint state.
func eachState(vars []bn.Variable, visit func(states []bn.State)) {
	states := make([]bn.State, len(vars))
	for {
		visit(states)
		v := len(vars) - 1
		for ; v >= 0; v-- {
			if states[v]++; int(states[v]) < vars[v].Cardinality() {
				break
			}
			states[v] = 0
		}
		if v < 0 {
			return
		}
	}
}

// Graphs that say the same of independence score the same under BDeu, BIC, AIC and the likelihood, and
// need not under K2. An arc u → v may be reversed so when v's other parents are u's parents
// (Chickering 1995): every DAG on 4 variables and each such arc.
func TestEquivalentGraphsScoreTheSame(t *testing.T) {
	table := randomCases(t, 8, 4, 500)
	differ := false
	for _, score := range []structure.Score{structure.BDeu{EquivalentSampleSize: 10}, structure.BIC{}, structure.AIC{},
		structure.LogLikelihood{}, structure.K2{}} {
		s := scorer(t, table, score)
		scores := tableOfFamilies(t, s)
		pairs := 0
		everyDAG(4, func(int, int) bool { return true }, func(parents []int) {
			for v, set := range parents {
				for u := range 4 {
					if set&(1<<u) == 0 || set&^(1<<u) != parents[u] {
						continue
					}
					pairs++
					before := scores[v][set] + scores[u][parents[u]]
					after := scores[v][set&^(1<<u)] + scores[u][parents[u]|1<<v]
					if score == (structure.K2{}) {
						differ = differ || math.Abs(before-after) > 1e-6
						continue
					}
					numtest.Close(t, after, before, 0, 1e-12)
				}
			}
		})
		if pairs == 0 {
			t.Error("no covered arc")
		}
	}
	if !differ {
		t.Error("K2 scores equivalent graphs the same on all arcs")
	}
}

// Node-average: a family's mean over its complete rows, times all rows, so that rows with a missing
// cell drawn at random change no more than the sample does. By hand on four rows.
func TestNodeAverage(t *testing.T) {
	ctx := context.Background()
	table := parsed(t, "x,y\na,0\nb,0\nb,\nb,1\n")
	for _, test := range []struct {
		missing structure.Missing
		want    float64 // of x given y: rows 1, 2 and 4
	}{
		{structure.CompleteCases, 2*ln(1./2) - 0.5*ln(3)*2},
		{structure.NodeAverage, 4./3*2*ln(1./2) - 0.5*ln(4)*2},
	} {
		s, err := structure.NewScorer(table, structure.BIC{}, &structure.ScorerOptions{Missing: test.missing})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Family(ctx, 0, []int{1})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, test.want, 1e-12, 0)
		found, err := structure.Learn(ctx, table, structure.BIC{}, nil, &structure.Settings{Missing: test.missing,
			Rules: &structure.Rules{Required: []structure.Arc{{From: "y", To: "x"}}}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(found.Notes, "\n"), `1 for "x"`) {
			t.Errorf("the notes do not say that a row is left out of x: %q", found.Notes)
		}
	}
}

// What no case has seen together no search joins, though no case speaks against it.
func TestNeverSeenTogether(t *testing.T) {
	ctx := context.Background()
	table := parsed(t, "x,y,z\n"+strings.Repeat("a,,0\nb,,1\n,c,0\n,d,1\n", 5))
	joined, err := bn.ParseDAG("[x|y][y][z|x]")
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range []structure.Missing{structure.CompleteCases, structure.NodeAverage} {
		for _, score := range []structure.Score{structure.LogLikelihood{}, structure.BIC{}, structure.AIC{},
			structure.K2{}, structure.BDeu{}} {
			for _, how := range []structure.Search{nil, structure.Exact{},
				structure.Annealing{Seed: 1}} {
				r, err := structure.Learn(ctx, table, score, how, &structure.Settings{Missing: missing})
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range r.Arcs() {
					if a.From != "z" && a.To != "z" {
						t.Errorf("%v, %v, %v found %v", missing, score, how, a)
					}
				}
				if math.IsInf(r.Score, 0) {
					t.Errorf("%v, %v, %v: the score is %v", missing, score, how, r.Score)
				}
			}
			s, err := structure.NewScorer(table, score, &structure.ScorerOptions{Missing: missing})
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.ScoreGraph(ctx, joined)
			if err != nil {
				t.Fatal(err)
			}
			if !math.IsInf(r.Families[0].Score, -1) || math.IsInf(r.Families[2].Score, 0) ||
				!strings.Contains(r.String(), `no case has values of "x" and of all its parents, "y"`) {
				t.Errorf("%v, %v: %v", missing, score, r)
			}
			_, err = structure.Learn(ctx, table, score, nil,
				&structure.Settings{Missing: missing,
					Rules: &structure.Rules{Required: []structure.Arc{{From: "y", To: "x"}}}})
			if err == nil || !strings.Contains(err.Error(), `the family of "x" given "y"`) ||
				!strings.Contains(err.Error(), "no case has values of all") {
				t.Errorf("a required arc: %v", err)
			}
		}
	}
}

// A weight of 2 is a row that appears twice.
func TestWeightsAreRepeatedRows(t *testing.T) {
	table := randomCases(t, 5, 4, 60)
	var rows []int
	weights := make([]float64, table.Rows())
	for row := range weights {
		weights[row] = float64(1 + row%3)
		for range 1 + row%3 {
			rows = append(rows, row)
		}
	}
	weighted, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 2}, structure.K2{}} {
		a := tableOfFamilies(t, scorer(t, weighted, score))
		b := tableOfFamilies(t, scorer(t, table.Select(rows), score))
		for v := range a {
			for set := range a[v] {
				if set&(1<<v) == 0 {
					numtest.Close(t, a[v][set], b[v][set], 1e-9, 1e-12)
				}
			}
		}
	}
}

// The symmetric ACL is what one class gains and the other loses: with the own class in both places
// it is 0, and it does not change when the classes change places.
// tempered scores half of each count by another score.
type tempered struct{ structure.Score }

func (s tempered) Family(c *structure.Counts) float64 {
	half := *c
	half.N = make([]float64, len(c.N))
	for i, n := range c.N {
		half.N[i] = n / 2
	}
	half.Rows = c.Rows / 2
	return s.Score.Family(&half)
}

// A score that makes other counts and leaves them to one of the package's gets the score of these, not
// of them rounded: half the counts are cases of half the weight.
func TestScoresOfCountsThatWereChanged(t *testing.T) {
	ctx := context.Background()
	table := randomCases(t, 3, 3, 61)
	light, err := table.WithWeights(slices.Repeat([]float64{0.5}, table.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range []structure.Score{structure.LogLikelihood{}, structure.BIC{}, structure.K2{},
		structure.BDeu{}} {
		var got [2]float64
		for i, c := range []struct {
			src   data.Source
			score structure.Score
		}{{table, tempered{score}}, {light, score}} {
			s, err := structure.NewScorer(c.src, c.score, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got[i], err = s.Family(ctx, 0, []int{1, 2}); err != nil {
				t.Fatal(err)
			}
		}
		numtest.Close(t, got[0], got[1], 0, 1e-12)
	}
}

// A scorer made of one that compares with another class counts that class no more.
func TestWithAnotherScore(t *testing.T) {
	table := randomCases(t, 3, 3, 20)
	acl, err := structure.NewScorer(table, structure.ACL{Other: table}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		score structure.Score
		other float64
	}{{structure.BIC{}, 0}, {structure.ACL{Other: table, Penalty: 1}, 20}} {
		s, err := acl.With(c.score)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := s.Counts(context.Background(), 0, []int{1})
		if err != nil {
			t.Fatal(err)
		}
		if counts.OtherRows != c.other || (len(counts.Other) > 0) != (c.other > 0) {
			t.Errorf("%v: %v rows of the other class in %v", c.score, counts.OtherRows, counts.Other)
		}
	}
}

func TestSymmetricACL(t *testing.T) {
	ctx := context.Background()
	a, b := randomCases(t, 1, 3, 100), randomCases(t, 1, 3, 350)
	for _, keep := range []bool{false, true} {
		own := scorer(t, a, structure.ACL{Other: a, Symmetric: true, KeepSizes: keep})
		got, err := own.Family(ctx, 0, []int{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, 0, 1e-12, 0)
	}
	one, err := scorer(t, a, structure.ACL{Other: b, Symmetric: true, KeepSizes: true}).Family(ctx, 0, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	two, err := scorer(t, b, structure.ACL{Other: a, Symmetric: true, KeepSizes: true}).Family(ctx, 0, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, one, two, 0, 1e-12)
	if _, err := structure.NewScorer(a, structure.ACL{}, nil); err == nil {
		t.Error("ACL without another class is accepted")
	}
	if _, err := structure.NewScorer(a, structure.ACL{Other: parsed(t, hand)}, nil); err == nil {
		t.Error("ACL against other variables is accepted")
	}
}

// The conditional log-likelihood of a class is that of the fitted network (package metric).
func TestConditionalLogLikelihood(t *testing.T) {
	ctx := context.Background()
	table := randomCases(t, 12, 5, 300)
	g := dag(t, "[A][B|A][C|A:B][D|C][E|A:D]")
	net, err := bn.NewNetwork(g, table.Variables())
	if err != nil {
		t.Fatal(err)
	}
	counts, err := table.Count(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		cpt := net.CPT(v)
		r := cpt.Child.Cardinality()
		for config := range cpt.Configs().Len() {
			n := counts.Family(v)[config*r : (config+1)*r]
			total := 2.5 * float64(r)
			for _, m := range n {
				total += m
			}
			for s, m := range n {
				cpt.Row(config)[s] = (m + 2.5) / total
			}
		}
	}
	for _, class := range []string{"A", "B", "C", "D", "E"} {
		got, err := structure.ConditionalLogLikelihood(ctx, table, g, class, 2.5)
		if err != nil {
			t.Fatal(err)
		}
		want, err := metric.ConditionalLogScore(net, table, class)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, want.LogScore, 1e-9, 1e-9)
	}
	if _, err := structure.ConditionalLogLikelihood(ctx, table, g, "Z", 1); err == nil {
		t.Error("an unknown class is accepted")
	}
	if _, err := structure.ConditionalLogLikelihood(ctx, table, g, "A", 0); err == nil {
		t.Error("pseudocount 0 is accepted")
	}
}

// TestACLWithoutOther: a family that nobody counted in the other class is rated by its own counts.
func TestACLWithoutOther(t *testing.T) {
	c := &structure.Counts{N: []float64{3, 1}, R: 2, Q: 1, Rows: 4, Scale: 1}
	want := 3*math.Log(4.0/6) + math.Log(2.0/6)
	if got := (structure.ACL{}).Family(c); math.Abs(got-want) > 1e-12 {
		t.Errorf("ACL without counts of the other class: %v, want %v", got, want)
	}
}

// The ACL of a family with two configurations, θ = (4/6, 2/6) and (1/4, 3/4), φ = (2/4, 2/4) and (5/6, 1/6).
func TestACLByHand(t *testing.T) {
	c := &structure.Counts{N: []float64{3, 1, 0, 2}, Other: []float64{1, 1, 4, 0}, R: 2, Q: 2, Rows: 6, OtherRows: 6,
		Scale: 1}
	oneSided := 2*math.Log(4.0/6) - 4*math.Log(1.0/4) + 2*math.Log(3.0/4)
	phi := 2*math.Log(2.0/4) - 4*math.Log(5.0/6) + 2*math.Log(1.0/6)
	numtest.Close(t, structure.ACL{}.Family(c), oneSided, 1e-12, 0)
	numtest.Close(t, structure.ACL{Symmetric: true}.Family(c), oneSided-phi, 1e-12, 0)
	numtest.Close(t, structure.ACL{Penalty: 2}.Family(c), oneSided-2*math.Log(6), 1e-12, 0)
	for i := range c.Other { // three times the cases of the other class
		c.Other[i] *= 3
	}
	c.OtherRows *= 3
	numtest.Close(t, structure.ACL{}.Family(c), oneSided, 1e-12, 0)
	numtest.Close(t, structure.ACL{KeepSizes: true}.Family(c), -2*math.Log(2.0/6)-12*math.Log(1.0/4)+2*math.Log(3.0/4),
		1e-12, 0)
}
