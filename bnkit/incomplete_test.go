package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
)

// A searchOfGaps finds a model from a frame with missing cells.
type searchOfGaps struct {
	name string
	find func(ctx context.Context, df dataframe.DataFrame, set bnkit.SearchSettings) (*bnkit.Found, error)
}

// searchesOfGaps are structural EM and what it is compared with.
func searchesOfGaps() []searchOfGaps {
	return []searchOfGaps{
		{"structural EM", func(ctx context.Context, df dataframe.DataFrame, set bnkit.SearchSettings) (
			*bnkit.Found, error) {
			set.Incomplete = &incomplete.StructuralEM{}
			return bnkit.Search(ctx, df, nil, nil, &set)
		}},
		{"cells filled first", func(ctx context.Context, df dataframe.DataFrame, set bnkit.SearchSettings) (
			*bnkit.Found, error) { // with the most frequent state of each column
			var model strings.Builder
			for _, name := range df.Names() {
				fmt.Fprintf(&model, "[%s]", name)
			}
			net, err := bnkit.NewNetwork(model.String(), df, &bnkit.NetworkOptions{States: set.States})
			if err != nil {
				return nil, err
			}
			alone, err := bnkit.Fit(ctx, net, df, learn.ML{}, &bnkit.Settings{SkipMissing: true})
			if err != nil {
				return nil, err
			}
			full, err := bnkit.Impute(alone, df, nil)
			if err != nil {
				return nil, err
			}
			return bnkit.Search(ctx, full, nil, nil, &set)
		}},
		{"rows dropped", func(ctx context.Context, df dataframe.DataFrame, set bnkit.SearchSettings) (
			*bnkit.Found, error) {
			full, err := bnkit.DropMissing(df, df.Names()...)
			if err != nil {
				return nil, err
			}
			return bnkit.Search(ctx, full, nil, nil, &set)
		}},
	}
}

// pierced makes a share of the cells missing.
func pierced(t *data.Table, share float64, rng *rand.Rand) (*data.Table, error) {
	var columns []data.Column
	for _, c := range t.Columns() {
		states := append([]bn.State(nil), c.States...)
		for row := range states {
			if rng.Float64() < share {
				states[row] = bn.Missing
			}
		}
		columns = append(columns, data.Column{Var: c.Var, States: states})
	}
	return data.New(columns...)
}

// TestGraphsFromGaps is the curve of skeleton errors and of the log score of new cases, by the share of missing cells:
// structural EM, cells filled first, rows dropped. With all cells there they are the same. Filled cells agree with
// nothing else in their rows, so they weaken every dependence; dropping rows leaves 0.85⁸ = 27 % and 0.7⁸ = 6 % of
// them.
func TestGraphsFromGaps(t *testing.T) {
	const draws, rows = 6, 800
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	var vars []bn.Variable
	states := make(map[string][]string)
	for _, name := range names {
		states[name] = []string{"no", "yes"}
		vars = append(vars, bn.Discrete(name, states[name]...))
	}
	truth, err := bn.New("[a][b|a][c|a][d|b:c][e|d][f|d][g|e:f][h|g]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range truth.Len() {
		p := truth.CPT(v).P
		for i := 0; i < len(p); i += 2 { // yes is probable when most parents say yes
			ones := 0
			for k := i / 2; k > 0; k >>= 1 {
				ones += k & 1
			}
			p[i+1] = []float64{0.2, 0.75, 0.9}[ones]
			if len(p) == 2 {
				p[i+1] = 0.4
			}
			p[i] = 1 - p[i+1]
		}
	}
	total := make([]float64, len(searchesOfGaps())) // skeleton errors; at one share few draws tell them not apart
	for _, share := range []float64{0, 0.15, 0.3} {
		var wrong, score []float64
		for _, how := range searchesOfGaps() {
			errors, nats := 0.0, 0.0
			for draw := range uint64(draws) {
				rng := rand.New(rand.NewPCG(draw, 109))
				full, err := data.Sample(truth, rows, rand.NewPCG(draw, 101))
				if err != nil {
					t.Fatal(err)
				}
				seen, err := pierced(full, share, rng)
				if err != nil {
					t.Fatal(err)
				}
				fresh, err := data.Sample(truth, 2000, rand.NewPCG(draw, 102))
				if err != nil {
					t.Fatal(err)
				}
				found, err := how.find(t.Context(), bnkit.Frame(seen), bnkit.SearchSettings{States: states})
				if err != nil {
					t.Fatalf("%s: %v", how.name, err)
				}
				compared, err := metric.CompareDAGs(truth.DAG(), found.DAG)
				if err != nil {
					t.Fatal(err)
				}
				errors += float64(len(compared.Missing)+len(compared.Extra)) / draws
				scores, err := bnkit.LogScore(found.Model, bnkit.Frame(fresh))
				if err != nil {
					t.Fatal(err)
				}
				nats += scores.Average / draws
			}
			wrong, score = append(wrong, errors), append(score, nats)
			t.Logf("%2.0f %% missing, %-18s %.2f skeleton errors, %.4f nats a new case", 100*share, how.name, errors,
				nats)
		}
		for other := 1; other < len(score); other++ {
			switch name := searchesOfGaps()[other].name; {
			case share == 0:
				if wrong[other] != wrong[0] || score[other] != score[0] {
					t.Errorf("without gaps %s has %v and %v, structural EM %v and %v", name, wrong[other], score[other],
						wrong[0], score[0])
				}
			case !(score[0] > score[other]):
				t.Errorf("%.0f %% missing: structural EM is worse than %s", 100*share, name)
			}
		}
		for i, errors := range wrong {
			total[i] += errors
		}
	}
	for other := 1; other < len(total); other++ {
		if !(total[0] < total[other]) {
			t.Errorf("%s: %.2f skeleton errors in all, structural EM %.2f", searchesOfGaps()[other].name, total[other],
				total[0])
		}
	}
}

// A statement in the score holds in the model that is returned, and a done context is a note.
func TestSearchIncompleteStatements(t *testing.T) {
	var b strings.Builder
	b.WriteString("rain,grass\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%s,%s\n", []string{"no", "yes", ""}[i%3], []string{"dry", "wet", "", "dry", "wet"}[i*i/3%5])
	}
	df := dataframe.ReadCSV(strings.NewReader(b.String()))
	set := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{},
		Rules: &structure.Rules{Required: []structure.Arc{{From: "rain", To: "grass"}}}}
	wet := constraint.Fixed{Var: "grass", Given: bn.Given{"rain": "yes"}, P: map[string]float64{"wet": 0.875}}
	score := structure.Constrained{Statements: []constraint.Constraint{wet}}
	for _, done := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		if done {
			stop()
		}
		found, err := bnkit.Search(ctx, df, score, nil, set)
		stop()
		if err != nil || found.Interrupted != done {
			t.Fatalf("%v, %v", found, err)
		}
		table, err := found.Model.Net.Table("grass")
		if err != nil {
			t.Fatal(err)
		}
		if p := table.P[3]; math.Abs(p-0.875) > 1e-9 {
			t.Errorf("P(wet | rain) is %v under %v", p, wet)
		}
	}
}
