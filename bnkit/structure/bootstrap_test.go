package structure

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func binary(t testing.TB, csv string) *data.Table {
	t.Helper()
	table, err := data.ReadCSV(strings.NewReader(csv), nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// dealt is a search that finds the given graphs in turn, whatever the cases.
type dealt struct {
	graphs [][][]int
	next   *int
}

func (dealt) String() string { return "dealt" }

func (d dealt) search(context.Context, *task) (*outcome, error) {
	g := d.graphs[*d.next%len(d.graphs)]
	*d.next++
	return &outcome{Parents: g}, nil
}

// Of ten graphs A → B is in six and B → A in two; B → C in ten; A → C in one.
func handStrengths(t *testing.T) *Strengths {
	var graphs [][][]int
	for i := range 10 {
		g := [][]int{{}, {}, {1}}
		switch {
		case i < 6:
			g[1] = []int{0}
		case i < 8:
			g[0] = []int{1}
		case i == 8:
			g[2] = []int{0, 1}
		}
		graphs = append(graphs, g)
	}
	table := binary(t, "A,B,C\n0,1,0\n1,0,1\n1,1,1\n0,0,0\n")
	s, err := ArcStrengths(context.Background(), table, BIC{}, dealt{graphs, new(int)},
		Bootstrap{Replicates: 10, Seed: 1, AsFound: true}, &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestArcStrengthsByHand(t *testing.T) {
	s := handStrengths(t)
	for _, want := range []struct {
		from, to            int
		strength, direction float64
	}{{0, 1, 0.8, 0.75}, {1, 0, 0.8, 0.25}, {1, 2, 1, 1}, {2, 1, 1, 0}, {0, 2, 0.1, 1}} {
		if got := s.Of(want.from, want.to); got.Strength != want.strength || got.Direction != want.direction {
			t.Errorf("%v, want strength %v and direction %v", got, want.strength, want.direction)
		}
	}
	var lines []string
	for _, a := range s.Arcs() {
		lines = append(lines, a.Arc.String())
	}
	if got := strings.Join(lines, ", "); got != "B → C, A → B, A → C" {
		t.Errorf("arcs %s", got)
	}
	for _, c := range []struct {
		threshold float64
		want      string
	}{{0, "[A][B|A][C|A:B]"}, {0.1, "[A][B|A][C|B]"}, {0.5, "[A][B|A][C|B]"}, {0.8, "[A][B][C|B]"},
		{0.99, "[A][B][C|B]"}} {
		a, err := s.Average(c.threshold)
		if err != nil || a.DAG.String() != c.want {
			t.Errorf("above %v: %v, %v; want %s", c.threshold, a, err, c.want)
		}
	}
	for _, bad := range []float64{-0.1, 1, math.NaN()} {
		if _, err := s.Average(bad); err == nil {
			t.Errorf("a threshold of %v was taken", bad)
		}
	}
}

// A chain has no directions, a meeting of arrows has; and so has a chain under rules.
func TestArcStrengthsOfClasses(t *testing.T) {
	chain := [][]int{{}, {0}, {1}}     // A → B → C
	meeting := [][]int{{}, {}, {0, 1}} // A → C ← B
	table := binary(t, "A,B,C\n0,1,0\n1,0,1\n1,1,1\n0,0,0\n")
	learn := func(rules *Rules) *Strengths {
		s, err := ArcStrengths(context.Background(), table, BIC{}, dealt{[][][]int{chain, chain, chain, meeting},
			new(int)},
			Bootstrap{Replicates: 4, Seed: 1}, &Settings{Workers: 1, Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		rules               *Rules
		from, to            int
		strength, direction float64
	}{
		{nil, 0, 1, 0.75, 0.5}, {nil, 1, 0, 0.75, 0.5}, {nil, 1, 2, 1, 2.5 / 4}, {nil, 2, 1, 1, 1.5 / 4},
		{nil, 0, 2, 0.25, 1},
		{&Rules{MaxParents: 2}, 0, 1, 0.75, 0.5},
		{&Rules{Forbidden: []Arc{{"C", "A"}}}, 0, 1, 0.75, 1}, {&Rules{Tiers: [][]string{{"A"}, {"B"}}}, 1, 2, 1, 1},
	} {
		if got := learn(c.rules).Of(c.from, c.to); got.Strength != c.strength || got.Direction != c.direction {
			t.Errorf("rules %v: %v; want strength %v and direction %v", c.rules, got, c.strength, c.direction)
		}
	}
}

// strengthsOf makes strengths of 10,000 replicates for the pairs in the order of the variables.
func strengthsOf(p ...float64) *Strengths {
	n := 1
	for n*(n-1)/2 < len(p) {
		n++
	}
	s := &Strengths{Replicates: 10000, halves: square(n), lines: square(n)}
	for v := range n {
		s.Variables = append(s.Variables, bn.Discrete(string(rune('A'+v)), "0", "1"))
	}
	at := 0
	for u := range n {
		for v := u + 1; v < n && at < len(p); v++ {
			s.halves[u][v] = uint32(math.Round(p[at]*10000)) * 2
			at++
		}
	}
	return s
}

// A cycle of three: the weakest arc is left out; of equals that of the later variables.
func TestAverageLeavesOutCycles(t *testing.T) {
	s := strengthsOf(0.9, 0, 0.7) // A → B, B → C
	s.halves[2][0] = 16000        // C → A
	a, err := s.Average(0.5)
	if err != nil || a.DAG.String() != "[A|C][B|A][C]" || len(a.LeftOut) != 1 || a.LeftOut[0].Arc != (Arc{"B", "C"}) {
		t.Errorf("%v, %v", a, err)
	}
	s.halves[0][1], s.halves[1][2], s.halves[2][0] = 16000, 16000, 16000
	if a, err := s.Average(0.5); err != nil || a.DAG.String() != "[A][B|A][C|B]" && a.DAG.String() != "[A|C][B|A][C]" ||
		len(a.LeftOut) != 1 {
		t.Errorf("equal strengths: %v, %v", a, err)
	}
}

// The threshold minimises the distance of Scutari and Nagarajan, found here on a fine grid.
func TestSignificantThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	cases := [][]float64{{0.046, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439}, {0, 0, 1}, {1, 1, 1}, {0, 0, 0},
		{0.6, 0.9, 0.7}}
	for range 30 {
		p := make([]float64, 10)
		for i := range p {
			p[i] = math.Round(rng.Float64()*1e4) / 1e4
		}
		cases = append(cases, p)
	}
	for _, p := range cases {
		below := func(x float64) float64 { // F(x)
			n := 0.0
			for _, q := range p {
				if q <= x {
					n++
				}
			}
			return n / float64(len(p))
		}
		best, at := math.Inf(1), 0.0
		for i := 0; i <= 2*len(p); i++ { // a minimum is among the values of F
			at2 := float64(i) / float64(2*len(p))
			distance := 0.0
			for k := range 10000 {
				distance += math.Abs(below((float64(k)+0.5)/10000)-at2) / 10000
			}
			if distance < best-1e-9 {
				best, at = distance, at2
			}
		}
		want := 0.0 // the smallest p with F(p) ≥ at
		if at > 0 {
			want = math.Inf(1)
			for _, q := range p {
				if below(q) >= at-1e-12 {
					want = min(want, q)
				}
			}
		}
		if got := strengthsOf(p...).SignificantThreshold(); math.Abs(got-want) > 1e-9 {
			t.Errorf("threshold of %v is %v, want %v", p, got, want)
		}
	}
}

// Replicates of weights too large or too small to draw single cases are refused.
func TestResampleRefuses(t *testing.T) {
	for _, weight := range []float64{0, 0.1, 1e15, 1e25} {
		table, err := binary(t, "A\n0\n1\n").WithWeights([]float64{weight, weight})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := resample(table, rand.NewPCG(1, 1)); err == nil {
			t.Errorf("weights of %v: no error", weight)
		}
	}
	table, err := binary(t, "A\n0\n1\n").WithWeights([]float64{1e14, 1e14})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := resample(table, rand.NewPCG(1, 1)); err != nil || got.TotalWeight() != 2e14 {
		t.Errorf("%v cases, %v", got, err)
	}
}

// Replicates have as many cases as there were, the rows' own weights on average, and the spread of a
// multinomial distribution.
func TestResample(t *testing.T) {
	table := binary(t, "A,B\n0,0\n0,1\n1,0\n1,1\n")
	weights := []float64{40, 0, 25, 135}
	table, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	const replicates = 4000
	mean, square := make([]float64, 4), make([]float64, 4)
	for i := range replicates {
		got, err := resample(table, rand.NewPCG(7, uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		if got.TotalWeight() != 200 {
			t.Fatalf("replicate %d has %v cases", i, got.TotalWeight())
		}
		drawn := make([]float64, 4)
		for row, w := range got.Weights() {
			a, b := got.Columns()[0].States[row], got.Columns()[1].States[row]
			drawn[2*a+b] += w
		}
		for k, x := range drawn {
			mean[k] += x / replicates
			square[k] += x * x / replicates
		}
	}
	for k, w := range weights {
		variance := w * (1 - w/200)
		if math.Abs(mean[k]-w) > 5*math.Sqrt(variance/replicates) {
			t.Errorf("row %d is drawn %.3f times on average, want %v", k+1, mean[k], w)
		}
		// The standard error of a variance is about variance·√(2/replicates).
		if got := square[k] - mean[k]*mean[k]; math.Abs(got-variance) > 5*variance*math.Sqrt(2./replicates)+1e-9 {
			t.Errorf("row %d has variance %.3f, want %.3f", k+1, got, variance)
		}
	}
}

func TestArcStrengthsWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var csv strings.Builder
	csv.WriteString("A,B,C\n")
	for range 60 {
		a := rng.IntN(2)
		b, c := a, rng.IntN(2)
		if rng.IntN(4) == 0 {
			b = 1 - a
		}
		csv.WriteString(string([]byte{byte('0' + a), ',', byte('0' + b), ',', byte('0' + c), '\n'}))
	}
	table := binary(t, csv.String())
	var text string
	for _, workers := range []int{1, 3} {
		s, err := ArcStrengths(context.Background(), table, BIC{}, HillClimb{},
			Bootstrap{Replicates: 40, Seed: 1}, &Settings{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if text == "" {
			text = s.String()
		} else if s.String() != text {
			t.Errorf("one worker:\n%sthree:\n%s", text, s)
		}
		if got := s.Of(0, 1); got.Strength < 0.9 {
			t.Errorf("A and B are joined in %v of the replicates", got.Strength)
		}
	}
}

// divided finds a graph that depends on which one it is of those it was divided into.
type divided struct{ i int }

func (divided) String() string { return "divided" }

func (d divided) divide(n int) []Search {
	searches := make([]Search, n)
	for i := range searches {
		searches[i] = divided{i + 1}
	}
	return searches
}

func (d divided) search(context.Context, *task) (*outcome, error) {
	if d.i == 0 {
		return nil, errors.New("it was not divided")
	}
	return &outcome{Parents: [][][]int{{{}, {}}, {{}, {0}}}[d.i%2]}, nil
}

// A search that draws from one stream is divided, one part for each replicate; the parts of a climb
// that restarts find the same in any order, and with any number of workers.
func TestArcStrengthsDivideSearches(t *testing.T) {
	ctx := context.Background()
	table := drawnCases(t, 2, 30)
	s, err := ArcStrengths(ctx, table, BIC{}, divided{}, Bootstrap{Replicates: 10, Seed: 3, AsFound: true},
		&Settings{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Of(0, 1); got.Strength != 0.5 || got.Direction != 1 {
		t.Errorf("%+v, want the arc in every other replicate", got)
	}
	climb := func() HillClimb { return HillClimb{Orders: 1, Restarts: 3, Source: rand.NewPCG(1, 1)} }
	table = drawnCases(t, 8, 30)
	ends := make(map[int]string)
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}} {
		searches := climb().divide(4)
		for _, i := range order {
			r, err := Learn(ctx, table, AIC{}, searches[i], nil)
			if err != nil {
				t.Fatal(err)
			}
			if end, ok := ends[i]; ok && end != r.String() {
				t.Errorf("part %d found, in another order:\n%sat first:\n%s", i, r, end)
			}
			ends[i] = r.String()
		}
	}
	var text string
	for _, workers := range []int{1, 2, 3} {
		s, err := ArcStrengths(ctx, table, AIC{}, climb(), Bootstrap{Replicates: 20, Seed: 3, AsFound: true},
			&Settings{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if text == "" {
			text = s.String()
		} else if s.String() != text {
			t.Errorf("%d workers:\n%sone:\n%s", workers, s, text)
		}
	}
	_, err = ArcStrengths(ctx, table, AIC{}, HillClimb{Restarts: 1}, Bootstrap{Seed: 3}, nil)
	if !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("restarts without a source: %v", err)
	}
}

func TestArcStrengthsBadInput(t *testing.T) {
	ctx := context.Background()
	table := binary(t, "A,B\n0,1\n1,0\n")
	boot := Bootstrap{Replicates: 2, Seed: 1}
	if _, err := ArcStrengths(ctx, nil, BIC{}, HillClimb{}, boot, nil); err == nil {
		t.Error("no cases: no error")
	}
	if _, err := ArcStrengths(ctx, table, nil, nil, boot, nil); err == nil {
		t.Error("no score: no error")
	}
	if _, err := ArcStrengths(ctx, table, BIC{}, HillClimb{}, Bootstrap{Replicates: -1, Seed: 1},
		nil); err == nil {
		t.Error("negative replicates: no error")
	}
	nothing, err := table.WithWeights([]float64{0.1, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ArcStrengths(ctx, nothing, BIC{}, HillClimb{}, boot, nil); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("cases of no weight: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ArcStrengths(cancelled, table, BIC{}, HillClimb{}, boot, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Interrupted arc strengths are those of the replicates that were finished.
func TestArcStrengthsAreInterrupted(t *testing.T) {
	table := drawnCases(t, 5, 200)
	learn := func(ctx context.Context, n int, progress func(Progress)) (*Strengths, error) {
		return ArcStrengths(ctx, table, BIC{}, HillClimb{Orders: 1}, Bootstrap{Replicates: n, Seed: 1},
			&Settings{Workers: 1, Progress: progress})
	}
	want, err := learn(t.Context(), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var seen []Progress
	got, err := learn(ctx, 8, func(p Progress) {
		if seen = append(seen, p); len(seen) == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || got == nil || got.Replicates != 3 || got.Planned != 8 {
		t.Fatalf("%v, error %v", got, err)
	}
	if !slices.Equal(got.Arcs(), want.Arcs()) || len(want.Arcs()) == 0 {
		t.Errorf("%v, want %v", got, want)
	}
	if !strings.Contains(got.String(), "in 3 of 8 replicates (interrupted)") {
		t.Errorf("it prints %v", got)
	}
	if len(seen) != 4 || !seen[3].Interrupted || seen[3].Done != 3.0/8 {
		t.Errorf("progress %+v", seen)
	}
}
