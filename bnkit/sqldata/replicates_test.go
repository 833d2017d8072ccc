package sqldata_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/bnkit/structure"
)

// The numbers of draws follow Poisson's law, and those of neighbouring keys and of replicates are as good as
// independent: chi-square statistics of 5 and 8 degrees of freedom, with the critical values of one in a thousand.
func TestTimesDrawn(t *testing.T) {
	const n = 20_000
	one, other := sqltest.Times(1, 0), sqltest.Times(1, 1)
	// e⁻¹/k!; the last is of five and more.
	share := []float64{0.367879, 0.367879, 0.183940, 0.061313, 0.015328, 0.003660}
	seen := make([]float64, len(share))
	var neighbours, replicates [3][3]float64
	for key := range int64(n) {
		here := one(2 * key)
		seen[int(min(here, 5))]++
		neighbours[int(min(here, 2))][int(min(one(2*key+1), 2))]++
		replicates[int(min(here, 2))][int(min(other(2*key), 2))]++
	}
	sum := 0.0
	for k, p := range share {
		sum += math.Pow(seen[k]-n*p, 2) / (n * p)
	}
	if sum > 20.52 {
		t.Errorf("chi-square %.1f of the numbers %v", sum, seen)
	}
	three := []float64{share[0], share[1], 1 - share[0] - share[1]}
	for what, table := range map[string][3][3]float64{"neighbours": neighbours, "replicates": replicates} {
		sum := 0.0
		for i, row := range table {
			for j, got := range row {
				want := n * three[i] * three[j]
				sum += (got - want) * (got - want) / want
			}
		}
		if sum > 26.12 {
			t.Errorf("chi-square %.1f of %s: %v", sum, what, table)
		}
	}
}

func TestReplicatesRefused(t *testing.T) {
	c := openKeyed(t, 20, sqldata.Options{})
	if _, _, err := c.Replicates(t.Context(), 0, 1); err == nil || !strings.Contains(err.Error(), "from 1 to 1000000") {
		t.Errorf("none: %v", err)
	}
	plan, err := c.Plan(t.Context(), 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = structure.ArcStrengths(t.Context(), plan, structure.BIC{}, structure.HillClimb{},
		structure.Bootstrap{}, nil)
	if err == nil || !strings.Contains(err.Error(), "a plan has no replicates") {
		t.Errorf("a plan: %v", err)
	}
	_, err = structure.ArcStrengths(t.Context(), c, structure.BIC{}, structure.HillClimb{Sample: 5},
		structure.Bootstrap{Replicates: 3}, nil)
	if err == nil || !strings.Contains(err.Error(), "leave Sample out") {
		t.Errorf("a sample: %v", err)
	}
	if weights, count, err := openAsia(t, 20, sqldata.PostgreSQL(), 0).Replicates(t.Context(), 2, 1); weights != nil ||
		count != nil || err != nil {
		t.Errorf("without a key: %v, %v", weights, err)
	}
}
