package structure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// madeCases draws x → y → z, of three, two and two states; each is set uniformly at random in a
// share of the rows.
func madeCases(t *testing.T, rows int, share float64) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(16, 7))
	draw := func(p float64) bn.State {
		if rng.Float64() < p {
			return 1
		}
		return 0
	}
	var states [3][]bn.State
	cells := make([]string, rows)
	names := []string{"x", "y", "z"}
	for row := range rows {
		set := -1
		if rng.Float64() < share {
			set = rng.IntN(3)
			cells[row] = names[set]
		}
		x := bn.State(rng.IntN(3))
		y := draw([]float64{0.1, 0.5, 0.8}[x])
		if set == 1 {
			y = draw(0.5)
		}
		z := draw([]float64{0.2, 0.9}[y])
		if set == 2 {
			z = draw(0.5)
		}
		for v, s := range []bn.State{x, y, z} {
			states[v] = append(states[v], s)
		}
	}
	table, err := data.New(
		data.Column{Var: bn.Discrete("x", "0", "1", "2"), States: states[0]},
		data.Column{Var: bn.Discrete("y", "0", "1"), States: states[1]},
		data.Column{Var: bn.Discrete("z", "0", "1"), States: states[2]})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithInterventions("set", cells); err != nil {
		t.Fatal(err)
	}
	return table
}

// logMarginal is the probability of a child's states one row after another, each by the rows before it (the
// chain rule of the Dirichlet-multinomial), over the rows in which the child was not set: BDeu in another way.
func logMarginal(table *data.Table, child string, size float64, parents ...string) float64 {
	column := func(t *data.Table, name string) data.Column {
		c, err := t.Column(name)
		if err != nil {
			panic(err)
		}
		return c
	}
	r, q := float64(column(table, child).Var.Cardinality()), 1.0
	for _, p := range parents {
		q *= float64(column(table, p).Var.Cardinality())
	}
	type cell struct {
		given [2]bn.State
		child bn.State
	}
	n, rows := map[cell]float64{}, map[[2]bn.State]float64{}
	total := 0.0
	for _, regime := range table.Regimes() {
		if slices.Contains(regime.Set, child) {
			continue
		}
		for row := range regime.Rows.Rows() {
			var at cell
			for i, p := range parents {
				at.given[i] = column(regime.Rows, p).States[row]
			}
			at.child = column(regime.Rows, child).States[row]
			total += math.Log((n[at] + size/q/r) / (rows[at.given] + size/q))
			n[at]++
			rows[at.given]++
		}
	}
	return total
}

func TestScoresLeaveInterventionsOut(t *testing.T) {
	table := madeCases(t, 300, 0.5)
	s, err := structure.NewScorer(table, structure.BDeu{EquivalentSampleSize: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"x", "y", "z"}
	for child := range 3 {
		a, b := (child+1)%3, (child+2)%3
		for _, parents := range [][]int{{}, {a}, {b}, {min(a, b), max(a, b)}} {
			var given []string
			for _, p := range parents {
				given = append(given, names[p])
			}
			got, err := s.Family(t.Context(), child, parents)
			if err != nil {
				t.Fatal(err)
			}
			want := logMarginal(table, names[child], 3, given...)
			numtest.Close(t, got, want, 0, 1e-11)
		}
	}
}

// Markov-equivalent graphs have one score on observed cases, and several where variables were set.
func TestInterventionsBreakEquivalence(t *testing.T) {
	for _, share := range []float64{0, 0.4} {
		table := madeCases(t, 500, share)
		s, err := structure.NewScorer(table, structure.BDeu{EquivalentSampleSize: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		forward, _, err := s.Score(t.Context(), dag(t, "[x][y|x][z|y]"))
		if err != nil {
			t.Fatal(err)
		}
		backward, _, err := s.Score(t.Context(), dag(t, "[z][y|z][x|y]"))
		if err != nil {
			t.Fatal(err)
		}
		if gain := forward - backward; share == 0 && math.Abs(gain) > 1e-9 || share > 0 && gain < 5 {
			t.Errorf("share %v: x → y → z scores %v more than its reverse", share, gain)
		}
	}
}

func TestSearchesWithInterventions(t *testing.T) {
	table := madeCases(t, 800, 0.4)
	for _, how := range []structure.Search{structure.HillClimb{}, structure.Exact{}} {
		for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 1}} {
			r, err := structure.Learn(t.Context(), table, score, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.DAG.String(); got != "[x][y|x][z|y]" {
				t.Errorf("%v by %v: %v, want x → y → z", score, how, got)
			}
		}
	}
	strengths, err := structure.ArcStrengths(t.Context(), table, structure.BIC{}, structure.HillClimb{},
		structure.Bootstrap{Replicates: 20, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strengths.AsFound {
		t.Error("strengths are of equivalence classes, which interventions tell apart")
	}
}

// A child that was set in every row says nothing, whatever its parents.
func TestAlwaysSet(t *testing.T) {
	table := madeCases(t, 50, 0)
	table, err := table.WithInterventions("set", slices.Repeat([]string{"y"}, 50))
	if err != nil {
		t.Fatal(err)
	}
	s, err := structure.NewScorer(table, structure.BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, parents := range [][]int{{}, {0}, {0, 2}} {
		if got, err := s.Family(t.Context(), 1, parents); err != nil || got != 0 {
			t.Errorf("y given %v: %v, %v, want 0", parents, got, err)
		}
	}
	for _, missing := range []structure.Missing{structure.CompleteCases, structure.NodeAverage} {
		s, err := structure.NewScorer(table, structure.BIC{}, &structure.ScorerOptions{Missing: missing})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Family(t.Context(), 1, []int{0, 2}); err != nil || got != 0 {
			t.Errorf("%s: y given others: %v, %v, want 0", missing, got, err)
		}
	}
}

// Of x → y → z, y set in a third of the rows and a fifth of z missing at random: the mean log-likelihood of a family is
// times the rows in which its child was not set, so that the graph is that of the complete rows, and a note counts the
// rows left out. Without gaps the scores are those of all rows.
func TestInterventionsWithGaps(t *testing.T) {
	for _, gaps := range []bool{false, true} {
		src := rand.New(rand.NewPCG(5, 6))
		var set []string
		columns := make([][]float64, 3)
		gap := 0.0
		for i := range 600 {
			x, did := src.NormFloat64(), ""
			y := x + src.NormFloat64()
			if i%3 == 0 {
				did, y = "y", 3*src.NormFloat64()
			}
			z := y + src.NormFloat64()
			if src.Float64() < 0.2 && gaps {
				z, gap = math.NaN(), gap+1
			}
			set = append(set, did)
			for at, value := range []float64{x, y, z} {
				columns[at] = append(columns[at], value)
			}
		}
		var list []data.Column
		for at, name := range []string{"x", "y", "z"} {
			list = append(list, data.Column{Var: bn.Continuous(name), Values: columns[at]})
		}
		table, err := data.New(list...)
		if err != nil {
			t.Fatal(err)
		}
		if table, err = table.WithInterventions("set", set); err != nil {
			t.Fatal(err)
		}
		found, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.Exact{},
			&structure.Settings{Missing: structure.NodeAverage})
		if err != nil {
			t.Fatal(err)
		}
		if got := found.DAG.String(); got != "[x][y|x][z|y]" {
			t.Errorf("gaps %v: %s", gaps, got)
		}
		if note := fmt.Sprintf("%g for %q", gap, "z"); strings.Contains(found.String(), note) != gaps {
			t.Errorf("gaps %v, note %q: %v", gaps, note, found)
		}
		if gaps {
			continue
		}
		whole, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.Exact{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if whole.Score != found.Score {
			t.Errorf("%v by NodeAverage without gaps, %v of all rows", found.Score, whole.Score)
		}
	}
}
