package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

func find(tb testing.TB, table *data.Table, how structure.Search, set *structure.Settings) *structure.Result {
	tb.Helper()
	found, err := structure.Learn(context.Background(), table, structure.BIC{}, how, set)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// pairsOf are the arcs without their directions.
func pairsOf(g *bn.DAG) []string {
	var list []string
	for v := range g.Len() {
		for _, u := range g.Parents(v) {
			pair := []string{g.Name(u), g.Name(v)}
			slices.Sort(pair)
			list = append(list, strings.Join(pair, "-"))
		}
	}
	slices.Sort(list)
	return list
}

// pc.stable(test = "mi", alpha = 0.01) of bnlearn 5.2.1 has the same pairs but one: it counts degrees of freedom of
// rows and columns without cases too, and with these cough and lung, which the truth joins, are separated.
func TestPCStableOfBnlearn(t *testing.T) {
	how := structure.PCStable{IndependenceTests: structure.IndependenceTests{Alpha: 0.01, CasesPerDegree: 1e-9}}
	found := find(t, clinic(t), how, nil)
	want := []string{"age-lung", "age-xray", "cold-cough", "cold-fever", "cold-season", "lung-smokes", "lung-xray"}
	got := pairsOf(found.DAG)
	at, extra := slices.BinarySearch(got, "cough-lung")
	if !extra || !slices.Equal(slices.Delete(slices.Clone(got), at, at+1), want) {
		t.Fatalf("found %v, want %v and cough-lung", got, want)
	}
	for _, p := range found.PairTests {
		if p.A == "lung" && p.B == "cough" || p.A == "cough" && p.B == "lung" {
			// smokes 2, age 3, xray 2 states: (2−1)(3−1) degrees in each of 12 configurations.
			nominal := distuv.ChiSquared{K: 24}.Survival(p.Statistic)
			if !(p.Degrees < 24 && p.PValue < 0.01 && nominal > 0.01) {
				t.Errorf("%v: %d degrees; p-value with 24: %v", p, p.Degrees, nominal)
			}
		}
	}
	// bnlearn's v-structure smokes → lung ← age stands here too.
	has := arcs(found.DAG)
	if !has[structure.Arc{From: "smokes", To: "lung"}] || !has[structure.Arc{From: "age", To: "lung"}] {
		t.Errorf("found %v", found.DAG)
	}
}

// mmhc() of bnlearn 5.2.1 finds this class, and ours one that scores no less.
func TestMMHCOfBnlearn(t *testing.T) {
	found := find(t, clinic(t), structure.MMHC{}, nil)
	want := dag(t, "[season][age][cold|season][xray|age][lung|age:xray][fever|cold][smokes|lung][cough|cold:lung]")
	if !found.DAG.Equivalent(want) {
		t.Errorf("found %v, want %v", found.DAG, want)
	}
}

// The order of columns and the number of workers change nothing; the tests are shown.
func TestPCStableIsStable(t *testing.T) {
	table := sampled(t, "alarm.bif", 1000)
	var names []string
	for _, c := range table.Columns() {
		names = append(names, c.Var.Name)
	}
	for _, how := range []structure.Search{structure.PCStable{}, structure.PCStable{FDR: true},
		structure.PCStable{IndependenceTests: structure.IndependenceTests{MostGiven: 1}},
		structure.MMHC{HillClimb: structure.HillClimb{Orders: 1}}} {
		first := find(t, table, how, &structure.Settings{Workers: 1})
		if len(first.PairTests) != 37*36/2 || first.DAG.Arcs() < 20 {
			t.Errorf("%v: %d tests, %d arcs", how, len(first.PairTests), first.DAG.Arcs())
		}
		again := find(t, table, how, &structure.Settings{Workers: 4})
		if again.String() != first.String() || fmt.Sprint(again.PairTests) != fmt.Sprint(first.PairTests) {
			t.Errorf("%v: other workers, another result", how)
		}
		rand.New(rand.NewPCG(7, 8)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		other, err := table.Keep(names...)
		if err != nil {
			t.Fatal(err)
		}
		if _, climbs := how.(structure.MMHC); climbs {
			continue // ties of a climb go by the order of the columns
		}
		if moved := find(t, other, how, nil); !slices.Equal(pairsOf(moved.DAG), pairsOf(first.DAG)) ||
			!moved.DAG.CPDAG().Equal(first.DAG.CPDAG()) {
			t.Errorf("%v: other columns, %v for %v", how, moved.DAG, first.DAG)
		}
	}
}

// From 20,000 cases of a network without faint arcs the class is found, by PC-stable and by MMHC.
func TestPCStableRecovers(t *testing.T) {
	net, err := bn.New("[a][b][c|a:b][d|c][e|c]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Discrete("c", "0", "1"), bn.Discrete("d", "0", "1"), bn.Discrete("e", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(2).P, []float64{0.9, 0.1, 0.4, 0.6, 0.3, 0.7, 0.1, 0.9})
	copy(net.CPT(3).P, []float64{0.8, 0.2, 0.3, 0.7})
	copy(net.CPT(4).P, []float64{0.6, 0.3, 0.1, 0.2, 0.3, 0.5})
	table, err := data.Sample(net, 20_000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []structure.Search{
		structure.PCStable{IndependenceTests: structure.IndependenceTests{Alpha: 0.001}},
		structure.PCStable{FDR: true, IndependenceTests: structure.IndependenceTests{Alpha: 0.01}},
		structure.MMHC{}} {
		found := find(t, table, how, nil)
		if !found.DAG.Equivalent(net.DAG()) {
			t.Errorf("%v: %v", how, found.DAG)
		}
	}
}

// Rules stand: tiers direct arcs, forbidden ones are left out, required ones stay, and parents are limited.
func TestPCStableKeepsRules(t *testing.T) {
	rules := &structure.Rules{
		Required:   []structure.Arc{{From: "season", To: "xray"}},
		Forbidden:  []structure.Arc{{From: "cold", To: "fever"}, {From: "fever", To: "cold"}},
		Tiers:      [][]string{{"season", "smokes", "age"}, {"cold", "lung"}, {"fever", "cough", "xray"}},
		MaxParents: 2,
	}
	for _, how := range []structure.Search{structure.PCStable{}, structure.MMHC{}, structure.ChowLiu{}} {
		found := find(t, clinic(t), how, &structure.Settings{Rules: rules})
		g := found.DAG
		has := func(from, to string) bool { return arcs(g)[structure.Arc{From: from, To: to}] }
		if !has("season", "xray") || has("cold", "fever") || has("fever", "cold") ||
			has("cold", "season") || !has("season", "cold") {
			t.Errorf("%v: %v", how, g)
		}
		for v := range g.Len() {
			if len(g.Parents(v)) > 2 {
				t.Errorf("%v: %v", how, g)
			}
		}
	}
}

func TestPCStableRefuses(t *testing.T) {
	table := clinic(t)
	for _, c := range []struct {
		how  structure.Search
		want string
	}{
		{structure.PCStable{IndependenceTests: structure.IndependenceTests{Alpha: 1.5}}, "PCStable.Alpha is 1.5"},
		{structure.MMHC{IndependenceTests: structure.IndependenceTests{CasesPerDegree: -1}},
			"MMHC.CasesPerDegree is -1"},
		{structure.PCStable{IndependenceTests: structure.IndependenceTests{Permutations: -1}}, "Permutations is -1"},
		{structure.TAN{}, `TAN.Class: unknown variable ""`},
		{structure.TAN{Class: "lung", Root: "lung"}, `TAN.Root is the class "lung"`},
		{structure.ChowLiu{Root: "nose"}, `ChowLiu.Root: unknown variable "nose"`},
		{structure.NaiveBayes{Class: "nose"}, `NaiveBayes.Class: unknown variable "nose"`},
	} {
		_, err := structure.Learn(context.Background(), table, structure.BIC{}, c.how, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: %v, want %q", c.how, err, c.want)
		}
	}
	rules := &structure.Rules{Forbidden: []structure.Arc{{From: "lung", To: "age"}}}
	var conflict *structure.RuleError
	_, err := structure.Learn(context.Background(), table, structure.BIC{}, structure.NaiveBayes{Class: "lung"},
		&structure.Settings{Rules: rules})
	if !errors.As(err, &conflict) {
		t.Errorf("naive Bayes with a forbidden arc: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := structure.Learn(ctx, table, structure.BIC{}, structure.PCStable{}, nil); !errors.Is(err, ctx.Err()) {
		t.Errorf("interrupted: %v", err)
	}
}

// Of independent columns each joined pair is false, so the false discovery rate is the share of draws with an arc: at
// most 0.05, about 3 of 60; more than 11 have a probability below 1e-4. When each of the 66 tests has the level 0.05,
// 1 − 0.95⁶⁶ = 0.966 of the draws have an arc, about 58; fewer than 50 have a probability below 1e-4.
func TestFalseDiscoveryRate(t *testing.T) {
	const draws = 60
	with := make(map[bool]int)
	for draw := range uint64(draws) {
		rng := rand.New(rand.NewPCG(draw, 77))
		columns := make([]data.Column, 12)
		for v := range columns {
			columns[v].Var = bn.Discrete(fmt.Sprint("x", v), "0", "1")
			for range 500 {
				columns[v].States = append(columns[v].States, bn.State(rng.IntN(2)))
			}
		}
		table := tableOf(t, columns...)
		for _, fdr := range []bool{false, true} {
			if find(t, table, structure.PCStable{FDR: fdr}, nil).DAG.Arcs() > 0 {
				with[fdr]++
			}
		}
	}
	if with[true] > 11 || with[false] < 50 {
		t.Errorf("of %d draws %d have an arc at a false discovery rate of 0.05, %d without", draws, with[true],
			with[false])
	}
	t.Logf("with an arc: %v of %d", with, draws)
}

// BenchmarkPCStable is the whole search on alarm, 10,000 rows.
func BenchmarkPCStable(b *testing.B) {
	table := reference(b, "alarm_10000.csv.gz")
	for _, how := range []structure.Search{structure.PCStable{}, structure.MMHC{}} {
		b.Run(strings.Fields(how.String())[0], func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(float64(find(b, table, how, nil).DAG.Arcs()), "arcs")
			}
		})
	}
}
