package noisyor

import (
	"os"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/runtest"
)

// domainsAtHand are the domains that the tests can have, at most those named.
func domainsAtHand(t *testing.T, names ...string) []*Domain {
	t.Helper()
	runtest.Offline(t)
	all, err := Domains(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	var list []*Domain
	for _, d := range all {
		if d.Missing == nil {
			list = append(list, d)
		}
	}
	return list
}

// counted are counts of the raw files, taken by a few lines of Python: rows, rows with the
// target, and for each parent rows that are high and among these rows with the target.
var counted = map[string]struct {
	rows, positive int
	high           map[string][2]int
}{
	"heart": {297, 137, map[string][2]int{"age": {159, 95}, "sex": {201, 112}, "trestbps": {98, 54},
		"chol": {155, 79}, "fbs": {43, 20}}},
	"breast": {286, 85, map[string][2]int{"age": {159, 43}, "menopause": {136, 37}, "tumor-size": {112, 42},
		"deg-malig": {85, 45}, "irradiat": {68, 31}}},
	"credit": {690, 307, map[string][2]int{"a8": {359, 221}, "a9": {361, 284}, "a10": {295, 209}, "a11": {179, 155},
		"a15": {257, 169}}},
	"car": {1728, 518, map[string][2]int{"buying": {864, 180}, "maint": {864, 190}, "doors": {864, 280},
		"persons": {1152, 518}, "lug_boot": {1152, 392}, "safety": {1152, 518}}},
	"pima": {768, 268, map[string][2]int{"age": {280, 142}, "pregnant": {169, 95}, "bmi": {472, 219},
		"pedigree": {277, 126}}},
	"census": {30169, 7508, map[string][2]int{"age": {13167, 4772}, "workclass": {5363, 1918},
		"education": {7588, 3730}, "race": {25938, 6839}, "sex": {20385, 6396}, "hours": {9197, 3741},
		"country": {27511, 6995}}},
	"iris": {100, 50, map[string][2]int{"sepal-length": {51, 37}, "sepal-width": {45, 29}, "petal-length": {51, 47},
		"petal-width": {48, 46}}},
	"glass": {146, 70, map[string][2]int{"ri": {62, 29}, "mg": {86, 45}, "al": {71, 21}, "k": {67, 26},
		"ca": {76, 47}}},
	"ecoli": {284, 141, map[string][2]int{"mcg": {118, 97}, "gvh": {89, 67}, "aac": {148, 109}, "alm1": {131, 125},
		"alm2": {124, 106}}},
	"thyroid": {185, 35, map[string][2]int{"resin-uptake": {77, 5}, "t4": {40, 32}, "t3": {51, 27}, "tsh": {115, 17},
		"tsh-difference": {120, 0}}},
	"hepatitis": {144, 27, map[string][2]int{"liver-big": {119, 24}, "spleen-palpable": {28, 10}, "spiders": {48, 20},
		"ascites": {17, 12}, "varices": {18, 11}}},
}

func TestRowsAndStates(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all data")
	}
	runtest.Offline(t)
	all, err := Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(counted) {
		t.Errorf("%d domains, want %d", len(all), len(counted))
	}
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			if d.Missing != nil {
				if os.Getenv("BNLAB_DATA") != "" {
					t.Fatal(d.Missing)
				}
				t.Skip(d.Missing)
			}
			want := counted[d.name]
			if len(d.Notes) > 0 {
				t.Error(d.Notes)
			}
			if !d.Cases.IsComplete() {
				t.Error("cells are missing")
			}
			target := highs(t, d.Cases, d.Target)
			if n := sum(target); d.Cases.Rows() != want.rows || n != want.positive {
				t.Errorf("%d rows, %d with %s, want %d and %d", d.Cases.Rows(), n, d.Target, want.rows, want.positive)
			}
			for name, counts := range want.high {
				high := highs(t, d.Cases, name)
				both := 0
				for row := range high {
					both += high[row] * target[row]
				}
				if sum(high) != counts[0] || both != counts[1] {
					t.Errorf("%s is high in %d rows, %d of them with the target; want %v", name, sum(high), both,
						counts)
				}
			}
			if len(want.high) != d.Net.Len()-1 || len(want.high) != d.parents {
				t.Errorf("%d parents, Table 2 of Y13 has %d", d.Net.Len()-1, d.parents)
			}
			if n := d.draw(newRand(1)).Rows(); n != d.samples {
				t.Errorf("a draw has %d rows, Table 2 of Y13 has %d", n, d.samples)
			}
		})
	}
}

// highs is 1 for each row with the last state.
func highs(t *testing.T, cases *data.Table, name string) []int {
	t.Helper()
	c, err := cases.Column(name)
	if err != nil {
		t.Fatal(err)
	}
	if c.Var.Cardinality() != 2 {
		t.Fatalf("%s has the states %v", name, c.Var.States)
	}
	out := make([]int, len(c.States))
	for row, s := range c.States {
		if s == bn.State(1) {
			out[row] = 1
		}
	}
	return out
}

func sum(x []int) int {
	n := 0
	for _, v := range x {
		n += v
	}
	return n
}

// TestKnowledge checks the files against each other: marks, an influence for each parent, pairs
// inside the sets, and that all can hold together at the largest margin in use.
func TestKnowledge(t *testing.T) {
	runtest.Offline(t)
	all, err := Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			if err := d.Knowledge.Check(d.Net); err != nil {
				t.Fatal(err)
			}
			var sets [][]string
			influences := make(map[string]constraint.Sign)
			var pairs [][]string
			for _, e := range d.Knowledge.Entries {
				if e.Source == "" || len(e.Mark) != 1 {
					t.Errorf("%s: source %q, mark %q", e.Statement, e.Source, e.Mark)
				}
				switch s := e.Statement.(type) {
				case constraint.Influence:
					influences[s.Parent] = s.Sign
				case constraint.Synergy:
					pairs = append(pairs, s.Parents)
				case constraint.NoisyOR:
					sets = s.Sets
				default:
					t.Errorf("a statement of type %T", s)
				}
			}
			if len(influences) != d.parents || len(sets) < 2 || len(pairs) == 0 {
				t.Errorf("%d influences, %d pairs, %d sets", len(influences), len(pairs), len(sets))
			}
			for _, pair := range pairs {
				if set := setOf(sets, pair[0]); len(pair) != 2 || set < 0 || set != setOf(sets, pair[1]) {
					t.Errorf("%v do not stand in one of the sets %v", pair, sets)
				}
				if influences[pair[0]] != influences[pair[1]] {
					t.Errorf("%v have influences of different signs", pair)
				}
			}
		})
	}
}
