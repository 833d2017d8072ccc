package sqltest

import (
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/structure"
)

// Times returns how often a row is drawn in a replicate: the smallest number whose share in Poisson's distribution
// function of mean 1, times 2^31 − 1 and rounded, is above the hash of the key.
func Times(seed, replicate uint64) func(key int64) float64 {
	hash := Hash(seed, replicate)
	var below []int64
	term, sum := math.Exp(-1), 0.0
	for k := 0; k < 12; k++ {
		if k > 0 {
			term /= float64(k)
		}
		sum += term
		below = append(below, int64(math.Round(sum*(1<<31-1))))
	}
	return func(key int64) float64 {
		h := hash(key)
		return float64(max(0, slices.IndexFunc(append(below, math.MaxInt64), func(b int64) bool { return h < b })))
	}
}

// replicates: counts are those of rows in memory that are drawn as the hash says, and so are arc strengths.
func (s Suite) replicates(t *testing.T) {
	const n, seed = 4, 11
	plain := Sample(t, infertest.Asia(), 500)
	for of, cases := range map[string]*data.Table{"complete": plain, "missing": Holed(t, plain, 0.1)} {
		t.Run(of, func(t *testing.T) {
			c, keys := s.keyed(t, cases)
			weights, count, err := c.Replicates(t.Context(), n, seed)
			if err != nil {
				t.Fatal(err)
			}
			list := Families(c.Variables())
			got, err := count(t.Context(), list, skip, 0, n)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				drawn := times(t, cases, keys, seed, i)
				if weights[i] != drawn.TotalWeight() {
					t.Errorf("replicate %d weighs %v, want %v", i, weights[i], drawn.TotalWeight())
				}
				want, err := drawn.CountFamilies(t.Context(), list, skip)
				if err != nil {
					t.Fatal(err)
				}
				for f := range list {
					if !slices.Equal(got[f][i].N, want[f].N) || got[f][i].Skipped != want[f].Skipped {
						t.Fatalf("replicate %d, %v: counts %v and %v skipped, want %v and %v", i, list[f], got[f][i].N,
							got[f][i].Skipped, want[f].N, want[f].Skipped)
					}
				}
			}
		})
	}
	t.Run("strengths", s.strengths)
}

// times draws cases as a replicate does.
func times(t *testing.T, cases *data.Table, keys []int64, seed uint64, replicate int) *data.Table {
	t.Helper()
	draw := Times(seed, uint64(replicate))
	weights := make([]float64, len(keys))
	for row, key := range keys {
		weights[row] = draw(key)
	}
	out, err := cases.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s Suite) strengths(t *testing.T) {
	const n, seed = 6, 3
	cases := Sample(t, infertest.Asia(), 500)
	c, keys := s.keyed(t, cases)
	before := c.Cost().Statements
	got, err := structure.ArcStrengths(t.Context(), c, structure.BIC{}, structure.HillClimb{},
		structure.Bootstrap{Replicates: n, Seed: seed, AsFound: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sent := c.Cost().Statements - before; sent > 40*len(cases.Columns()) {
		t.Errorf("%d statements", sent)
	}
	vars := cases.Variables()
	halves := make(map[[2]int]float64)
	for i := range n {
		drawn := times(t, cases, keys, seed, i)
		r, err := structure.Learn(t.Context(), drawn, structure.BIC{}, structure.HillClimb{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for child := range vars {
			for _, p := range r.DAG.Parents(child) {
				halves[[2]int{p, child}]++
			}
		}
	}
	for u := range vars {
		for v := range vars {
			want := structure.ArcStrength{Arc: structure.Arc{From: vars[u].Name, To: vars[v].Name}}
			if there, back := halves[[2]int{u, v}], halves[[2]int{v, u}]; there+back > 0 {
				want.Strength, want.Direction = (there+back)/n, there/(there+back)
			}
			if got := got.Of(u, v); u != v && got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}
