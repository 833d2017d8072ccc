package timecourse

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func testSource(table int) rand.Source { return rand.NewPCG(3, uint64(table)) }

// drawn draws three truths of each structure, once for all tests.
var drawn = sync.OnceValues(func() ([][]*bn.Network, error) {
	list, err := structures()
	if err != nil {
		return nil, err
	}
	var truths [][]*bn.Network
	for _, s := range list {
		three, err := s.truths(context.Background(), 3, testSource)
		if err != nil {
			return nil, err
		}
		truths = append(truths, three)
	}
	return truths, nil
})

func threeTruths(t testing.TB) [][]*bn.Network {
	t.Helper()
	truths, err := drawn()
	if err != nil {
		t.Fatal(err)
	}
	return truths
}

func load(t testing.TB) []structure {
	t.Helper()
	list, err := structures()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBound compares the bound with the violation of tables that break one influence as much as
// can be, made here: the lower half of the parent's states has the child at one end.
func TestBound(t *testing.T) {
	want := map[string]float64{
		"load":     3*(6+4*2+6) + 4,
		"abstract": 2*3 + 2*2*2 + 2*2*2 + 2*3 + 2 + 3*2*2 + 3*2*2,
	}
	for _, s := range load(t) {
		total := 0.0
		for _, f := range s.influences {
			net := s.net.Clone()
			extreme(t, net, f)
			v, err := f.Violation(net)
			if err != nil {
				t.Fatal(err)
			}
			total += v
		}
		bound, err := s.bound()
		if err != nil {
			t.Fatal(err)
		}
		if bound != total || bound != want[s.name] {
			t.Errorf("%s: the bound is %v, broken tables have %v, by hand %v", s.name, bound, total, want[s.name])
		}
	}
}

func extreme(t *testing.T, net *bn.Network, f constraint.Influence) {
	t.Helper()
	table, err := net.Table(f.Child)
	if err != nil {
		t.Fatal(err)
	}
	for p, parent := range table.Parents {
		if parent.Name != f.Parent {
			continue
		}
		for config := range table.Configs().Len() {
			state := table.Configs().States(nil, config)[p]
			high := state < parent.Cardinality()/2
			if f.Sign == constraint.Negative {
				high = !high
			}
			row := table.Row(config)
			clear(row)
			if high {
				row[len(row)-1] = 1
			} else {
				row[0] = 1
			}
		}
	}
}

func TestTruths(t *testing.T) {
	for i, s := range load(t) {
		more := threeTruths(t)[i]
		var few []*bn.Network
		if !testing.Short() {
			var err error
			if few, err = s.truths(t.Context(), 2, testSource); err != nil {
				t.Fatal(err)
			}
		}
		for k, net := range more {
			if err := net.Validate(); err != nil {
				t.Error(err)
			}
			v, err := s.violation(net)
			if err != nil || v > 1e-9 {
				t.Errorf("%s, truth %d: violation %v, %v", s.name, k, v, err)
			}
			for v := range net.Len() {
				table := net.CPT(v)
				if len(table.Parents) == 0 && table.P[0] != 1/float64(len(table.P)) {
					t.Errorf("%s: the root %s is %v", s.name, table.Child.Name, table.P)
				}
				if k < len(few) && !table.Equal(few[k].CPT(v)) {
					t.Errorf("%s: truth %d of two is not that of three", s.name, k)
				}
				if len(table.Parents) > 0 && k > 0 && table.Equal(more[k-1].CPT(v)) {
					t.Errorf("%s: two truths have the same table of %s", s.name, table.Child.Name)
				}
			}
		}
		// A random start has no reason to satisfy the statements.
		if v, err := s.violation(s.random(rand.New(testSource(i)))); err != nil || v < 1 {
			t.Errorf("%s: a random network violates by %v, %v", s.name, v, err)
		}
	}
}

func TestStatements(t *testing.T) {
	s := load(t)[1]
	if got := s.children(); len(got) != 4 || got[0] != "D" || got[3] != "G" {
		t.Errorf("constrained variables %v, want D E F G", got)
	}
	if all, some := s.statements(), s.statements("G", "F"); len(all) != 7 || len(some) != 3 {
		t.Errorf("%d statements in all, %d on F and G; want 7 and 3", len(all), len(some))
	}
}

func TestSmall(t *testing.T) {
	net, err := Small()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []constraint.Influence{{Parent: "Task", Child: "Load"}, {Parent: "Load", Child: "Error"},
		{Parent: "Load", Child: "Time"}} {
		if v, err := f.Violation(net); err != nil || v != 0 {
			t.Errorf("%v: violation %v, %v", f, v, err)
		}
	}
}
