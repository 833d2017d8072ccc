package joints

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/bif"
	"bnlab/internal/datatest"
	"bnlab/internal/factor"
	"bnlab/internal/numtest"
)

// drawn makes a network of n variables of 1 to 3 states with up to 3 parents each, some rows with zeros.
func drawn(rng *rand.Rand, n int) (cards []int, parents [][]int, tables [][]float64) {
	label := rng.Perm(n) // so that parents are not always before their children
	cards, parents, tables = make([]int, n), make([][]int, n), make([][]float64, n)
	for v := range cards {
		cards[v] = 1 + rng.IntN(3)
	}
	for i, v := range label {
		size := cards[v]
		for _, u := range rng.Perm(i)[:min(i, rng.IntN(4))] {
			parents[v] = append(parents[v], label[u])
			size *= cards[label[u]]
		}
		for range size {
			p := rng.ExpFloat64()
			if rng.IntN(6) == 0 {
				p = 0
			}
			tables[v] = append(tables[v], p)
		}
		for row := range slices.Chunk(tables[v], cards[v]) {
			row[rng.IntN(len(row))] += 0.1
			total := 0.0
			for _, p := range row {
				total += p
			}
			for s := range row {
				row[s] /= total
			}
		}
	}
	return cards, parents, tables
}

// enumerated is the joint distribution of members by summing over all joint states.
func enumerated(cards []int, parents [][]int, tables [][]float64, members []int) []float64 {
	size := 1
	for _, v := range members {
		size *= cards[v]
	}
	out := make([]float64, size)
	states := make([]int, len(cards))
	for {
		p := 1.0
		for v, table := range tables {
			at := 0
			for _, u := range parents[v] {
				at = at*cards[u] + states[u]
			}
			p *= table[at*cards[v]+states[v]]
		}
		at := 0
		for _, v := range members {
			at = at*cards[v] + states[v]
		}
		out[at] += p
		v := 0
		for ; v < len(cards); v++ {
			if states[v]++; states[v] < cards[v] {
				break
			}
			states[v] = 0
		}
		if v == len(cards) {
			return out
		}
	}
}

// TestByEnumeration compares all sets of up to 5 of 8 variables, of networks with zeros and parts that are not joined.
func TestByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 25 {
		cards, parents, tables := drawn(rng, 8)
		j := New(cards, parents, tables)
		if j.grown() == nil {
			t.Fatal("no tree")
		}
		for set := 1; set < 1<<8; set++ {
			var members []int
			for v := range 8 {
				if set>>v&1 == 1 {
					members = append(members, v)
				}
			}
			if len(members) > 5 {
				continue
			}
			got, ok := j.grown().of(members)
			if !ok {
				t.Fatal("no distribution")
			}
			got = factor.Permute(nil, got, members...)
			for at, want := range enumerated(cards, parents, tables, members) {
				numtest.Close(t, got.Values[at], want, 1e-14, 1e-12)
				if (got.Values[at] == 0) != (want == 0) {
					t.Fatalf("%v: %v where enumeration gives %v", members, got.Values[at], want)
				}
			}
		}
	}
}

func read(tb testing.TB, name string) *Joints {
	tb.Helper()
	net, err := bif.ReadFile(datatest.Path(tb, "networks/"+name+".bif"))
	if err != nil {
		tb.Fatal(err)
	}
	return ofNetwork(net)
}

func ofNetwork(net *bn.Network) *Joints {
	var cards []int
	var parents [][]int
	var tables [][]float64
	for v := range net.Len() {
		cards, parents = append(cards, net.Variable(v).Cardinality()), append(parents, net.DAG().Parents(v))
		tables = append(tables, net.CPT(v).P)
	}
	return New(cards, parents, tables)
}

// TestByElimination compares sets of published networks with elimination of each by itself, in several goroutines, and
// in another order with what nothing else was asked for before: to the last bit.
func TestByElimination(t *testing.T) {
	for _, name := range []string{"alarm", "insurance", "hailfinder", "child", "win95pts"} {
		j := read(t, name)
		if j.grown() == nil {
			t.Fatalf("%s: no tree", name)
		}
		rng := rand.New(rand.NewPCG(4, 0))
		var sets [][]int
		for range 60 {
			members := rng.Perm(len(j.cards))[:1+rng.IntN(4)]
			slices.Sort(members)
			sets = append(sets, members)
		}
		got := make([][]float64, len(sets))
		var wait sync.WaitGroup
		for worker := range 2 {
			wait.Go(func() {
				for i := worker; i < len(sets); i += 2 {
					if f, err := j.Of(sets[i]); err == nil {
						got[i] = factor.Permute(nil, f, sets[i]...).Values
					}
				}
			})
		}
		wait.Wait()
		alone := read(t, name)
		for i, members := range slices.Backward(sets) {
			want, err := j.eliminated(members)
			if err != nil {
				t.Fatal(err)
			}
			if len(got[i]) != len(want.Values) {
				t.Fatalf("%s %v: %d entries, want %d", name, members, len(got[i]), len(want.Values))
			}
			for at, p := range want.Values {
				numtest.Close(t, got[i][at], p, 1e-300, 1e-11)
			}
			f, err := alone.Of(members)
			if err != nil || !slices.Equal(factor.Permute(nil, f, members...).Values, got[i]) {
				t.Fatalf("%s %v: the distribution depends on what was asked for before (%v)", name, members, err)
			}
		}
	}
}

// TestManyMembers: sets of more members than a word has bits, nearly all of one state, have distributions too.
func TestManyMembers(t *testing.T) {
	for _, n := range []int{64, 65, 70} {
		cards, parents, tables, members := make([]int, n), make([][]int, n), make([][]float64, n), make([]int, n)
		for v := range n {
			cards[v], tables[v], members[v] = 1, []float64{1}, v
		}
		cards[0], tables[0] = 2, []float64{0.25, 0.75}
		cards[n-1], parents[n-1], tables[n-1] = 2, []int{0}, []float64{0.5, 0.5, 0.125, 0.875}
		f, err := New(cards, parents, tables).Of(members)
		if err != nil {
			t.Fatal(err)
		}
		// ¼·½, ¼·½, ¾·⅛ and ¾·⅞
		f = factor.Permute(nil, f, members...)
		if want := []float64{0.125, 0.125, 0.09375, 0.65625}; !slices.Equal(f.Values, want) {
			t.Errorf("%d members: %v of %v, want %v", n, f.Values, f.Vars, want)
		}
	}
}

// TestDense: a network without a tree of moderate cliques is answered by elimination.
func TestDense(t *testing.T) {
	j := read(t, "munin1")
	if j.grown() != nil {
		t.Fatal("munin1 has a tree")
	}
	if f, err := j.Of([]int{0, 5}); err != nil || len(f.Values) != j.cards[0]*j.cards[5] {
		t.Fatal(f, err)
	}
}
