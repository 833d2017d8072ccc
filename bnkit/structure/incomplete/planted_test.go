package incomplete_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/internal/numtest"
)

// planted is the network of R95 Figure 2(a), three causes of a hidden variable with three effects, with tables drawn
// uniformly, and cases of it without the hidden variable.
func planted(t testing.TB, rows int, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	var vars []bn.Variable
	names := []string{"I1", "I2", "I3", "O1", "O2", "O3"}
	for _, name := range names {
		vars = append(vars, bn.Discrete(name, "1", "2", "3"))
	}
	net, err := bn.New("[I1][I2][I3][O1|H1][O2|H1][O3|H1][H1|I1:I2:I3]", append(vars, bn.Discrete("H1", "1", "2"))...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	for v := range net.Len() {
		p := net.CPT(v)
		for config := range p.Configs().Len() {
			row, total := p.Row(config), 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				total += row[i]
			}
			for i := range row {
				row[i] /= total
			}
		}
	}
	full, err := data.Sample(net, rows, rand.NewPCG(seed, 4))
	if err != nil {
		t.Fatal(err)
	}
	table, err := full.Keep(names...)
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// bicOf is the BIC of a graph with a hidden variable, after EM from many starts.
func bicOf(t testing.TB, net *bn.Network, table *data.Table) float64 {
	t.Helper()
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := learn.FitCases(t.Context(), net, plan, learn.EM{}, &learn.Settings{Starts: 10, Tolerance: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	free, err := fit.FreeParameters()
	if err != nil {
		t.Fatal(err)
	}
	return fit.LogLikelihood - math.Log(table.TotalWeight())/2*float64(free)
}

// TestPlanted: on these draws the graph that is found has no lower BIC than the one that made the cases. That is no
// theorem, as the search is greedy and was built while looking at these draws; it holds of seeds 200 to 223 with 1,000
// rows too. Seed 100 is one in which no variable of the graph without a hidden one has two neighbours. BIC is
// consistent, so with many cases it is that graph, hidden variable, causes and effects: all arcs are compelled by the
// causes' meeting.
func TestPlanted(t *testing.T) {
	em := incomplete.StructuralEM{Propose: 1}
	for _, c := range []struct {
		rows  int
		from  uint64
		seeds int
		exact int
	}{{1000, 0, 8, 0}, {1000, 100, 8, 0}, {50000, 0, 4, 4}} {
		if !numtest.Full() {
			c.seeds, c.exact = 1, min(c.exact, 1)
		}
		exact := 0
		for seed := range uint64(c.seeds) {
			seed += c.from
			net, table := planted(t, c.rows, seed)
			r := learned(t, em, table, structure.BIC{}, nil)
			if truth := bicOf(t, net, table); r.Score < truth-0.01 {
				t.Errorf("%d rows, seed %d: BIC %.2f of %v, the truth has %.2f", c.rows, seed, r.Score, r.DAG, truth)
			}
			if r.DAG.String() == net.DAG().String() && slices.Equal(r.Hidden, []string{"H1"}) {
				exact++
			}
		}
		t.Logf("%d rows from seed %d: %d of %d are the planted graph", c.rows, c.from, exact, c.seeds)
		if exact < c.exact {
			t.Errorf("%d rows from seed %d: %d of %d are the planted graph", c.rows, c.from, exact, c.seeds)
		}
	}
}

// copies are 3,000 cases of five effects that show the state of their cause, each but for a share of the cases in
// which it takes any state; and the network of it.
func copies(t testing.TB, states int, share float64, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	names := []string{"1", "2", "3", "4"}[:states]
	columns := make([]data.Column, 5)
	var vars []bn.Variable
	for v := range columns {
		columns[v].Var = bn.Discrete(string(rune('a'+v)), names...)
		vars = append(vars, columns[v].Var)
	}
	rng := rand.New(rand.NewPCG(seed, 5))
	for range 3000 {
		cause := rng.IntN(states)
		for v := range columns {
			s := cause
			if rng.Float64() < share {
				s = rng.IntN(states)
			}
			columns[v].States = append(columns[v].States, bn.State(s))
		}
	}
	table, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.New("[a|H1][b|H1][c|H1][d|H1][e|H1][H1]", append(vars, bn.Discrete("H1", names...))...)
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// A cause of more than two states: the score finds as many, whether the variable is proposed or named, and no BIC
// below that of the network which made the cases, at the maximum that ten starts of EM find; 0.01 is for where EM
// stops. With two states only, or with more of them from the graph for two, arcs among the effects stay, and the BIC
// is far lower.
func TestStatesByScore(t *testing.T) {
	for states, seeds := range map[int]uint64{3: 6, 4: 3} {
		if !numtest.Full() {
			seeds = 1
		}
		for seed := uint64(300); seed < 300+seeds; seed++ {
			net, table := copies(t, states, []float64{0.2, 0.4, 0.5}[seed%3], seed)
			truth := bicOf(t, net, table)
			for _, em := range []incomplete.StructuralEM{{Propose: 1}, {Hidden: map[string]int{"H1": 0}}} {
				r := learned(t, em, table, structure.BIC{}, nil)
				found := 0
				if len(r.Hidden) == 1 {
					found = r.Variables[5].Cardinality()
				}
				if r.Score < truth-0.01 || found != states {
					t.Errorf("%d states, seed %d, %v: BIC %.2f with %d states of %v, the truth has %.2f", states, seed,
						em, r.Score, found, r.DAG, truth)
				}
			}
		}
	}
}

// BenchmarkPlanted proposes the hidden variable from 10,000 rows.
func BenchmarkPlanted(b *testing.B) {
	_, table := planted(b, 10000, 1)
	for b.Loop() {
		learned(b, incomplete.StructuralEM{Propose: 1}, table, structure.BIC{}, nil)
	}
}
