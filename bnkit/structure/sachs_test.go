package structure_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// sachs is the network of signals in a cell that Sachs and others (2005, Science 308) take for established: 11
// proteins and lipids, 17 arcs, as in bnlearn's repository.
const sachs = "[PKC][Plcg][PKA|PKC][PIP3|Plcg][Raf|PKA:PKC][Jnk|PKA:PKC][P38|PKA:PKC][PIP2|Plcg:PIP3]" +
	"[Mek|PKA:PKC:Raf][Erk|Mek:PKA][Akt|Erk:PKA]"

// sachsCases draws cases of a linear-Gaussian network with the shape of sachs: all observed, or a sixth of them, and a
// sixth each with one of five signals set, as in the experiments of 2005.
func sachsCases(t *testing.T, seed uint64, rows int, intervene bool) *data.Table {
	t.Helper()
	net, err := bn.New(sachs, continuous("PKC Plcg PKA PIP3 Raf Jnk P38 PIP2 Mek Erk Akt")...)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 5))
	for v := range net.Len() {
		for p := range net.Gaussian(v).Weights[0] {
			net.Gaussian(v).Weights[0][p] = 0.3 + 0.5*random.Float64()
		}
	}
	parts := []string{""}
	if intervene {
		parts = append(parts, "Akt", "PKC", "PIP2", "Mek", "PKA")
	}
	columns, cells := make([]data.Column, net.Len()), []string(nil)
	for v := range columns {
		columns[v].Var = net.Variable(v)
	}
	for i, target := range parts {
		under := net
		if target != "" {
			if under, err = net.Do(bn.Set(target, []string{"-1.5", "1.5"}[i%2])); err != nil {
				t.Fatal(err)
			}
		}
		part, err := data.Sample(under, rows/len(parts), rand.NewPCG(seed, uint64(10+i)))
		if err != nil {
			t.Fatal(err)
		}
		for v, c := range part.Columns() {
			columns[v].Values = append(columns[v].Values, c.Values...)
		}
		cells = append(cells, slices.Repeat([]string{target}, part.Rows())...)
	}
	table, err := tableOf(t, columns...).WithInterventions("set", cells)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestSachs: from as many cases, those in which signals were set tell more directions, and no fewer joined pairs.
func TestSachs(t *testing.T) {
	truth := dag(t, sachs)
	if truth.Len() != 11 || truth.Arcs() != 17 {
		t.Fatalf("%d variables and %d arcs, want 11 and 17", truth.Len(), truth.Arcs())
	}
	const replicates = 20
	var pairs, arrows [2]int // errors from observations, and with interventions
	for seed := range uint64(replicates) {
		for with, intervene := range []bool{false, true} {
			table := sachsCases(t, seed, 600, intervene)
			r, err := structure.Learn(t.Context(), table, structure.BIC{}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var targets [][]string
			for _, regime := range table.Regimes() {
				targets = append(targets, regime.Set)
			}
			class, err := r.DAG.InterventionalCPDAG(targets...)
			if err != nil {
				t.Fatal(err)
			}
			for v := range truth.Len() {
				for u := range v {
					a, b := at(t, r.DAG, truth.Name(u)), at(t, r.DAG, truth.Name(v))
					there, back := slices.Contains(truth.Parents(v), u), slices.Contains(truth.Parents(u), v)
					found := class.IsDirected(a, b) || class.IsDirected(b, a) || class.IsUndirected(a, b)
					if found != (there || back) {
						pairs[with]++
					} else if found && (class.IsDirected(a, b) != there || class.IsDirected(b, a) != back) {
						arrows[with]++
					}
				}
			}
			noted := strings.Contains(r.String(), "interventions on Akt, Mek, PIP2, PKA, PKC: all graphs")
			if noted != intervene {
				t.Errorf("the note of the class: %v", r.Notes)
			}
		}
	}
	t.Logf("pairs that are wrongly joined or not: %v, joined ones without the right direction: %v", pairs, arrows)
	if !(arrows[1] < arrows[0]) || !(pairs[1] <= pairs[0]) {
		t.Errorf("errors of pairs %v and of arrows %v; the second of each should be lower", pairs, arrows)
	}
}

// at is the number of a variable.
func at(t *testing.T, g *bn.DAG, name string) int {
	t.Helper()
	v, err := g.Index(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
