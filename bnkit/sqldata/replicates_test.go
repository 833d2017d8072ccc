package sqldata_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
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
	for _, how := range []structure.HillClimb{{Sample: 5}} {
		_, err = structure.ArcStrengths(t.Context(), c, structure.BIC{}, how, structure.Bootstrap{Replicates: 3}, nil)
		if err == nil || !strings.Contains(err.Error(), "no rows to draw a sample from; leave Sample out, or the Key") {
			t.Errorf("a sample: %v", err)
		}
	}
	if weights, count, err := openAsia(t, 20, sqldata.PostgreSQL(), 0).Replicates(t.Context(), 2, 1); weights != nil ||
		count != nil || err != nil {
		t.Errorf("without a key: %v, %v", weights, err)
	}
}

// openShared opens cases of ASIA of which so many rows each have the same key.
func openShared(t *testing.T, d sqldata.Dialect, rows, keys int, o sqldata.Options) (*sqldata.Cases, *fake) {
	t.Helper()
	f := &fake{cases: sqltest.Sample(t, infertest.Asia(), rows)}
	for row := range rows {
		f.keys = append(f.keys, int64(row%keys))
	}
	o.Table, o.Key, o.States = "t", "id", data.StatesOf(f.cases.Variables()...)
	c, err := sqldata.Open(t.Context(), f.open(t), d, &o)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

// Of two keys one replicate in e² is empty, and would have no arcs. Of 30 the sizes differ by 1/√30, a fifth, of the
// rows, and of 400 by a twentieth.
func TestFewKeys(t *testing.T) {
	strengths := func(keys int) (*structure.Strengths, error) {
		c, _ := openShared(t, sqldata.PostgreSQL(), 400, keys, sqldata.Options{})
		return structure.ArcStrengths(t.Context(), c, structure.BIC{}, structure.HillClimb{Orders: 1},
			structure.Bootstrap{Replicates: 40, Seed: 1}, nil)
	}
	if _, err := strengths(2); !errors.Is(err, data.ErrNoRows) ||
		!strings.Contains(err.Error(), `too few different keys in "id"; leave out the Key`) {
		t.Errorf("two keys: %v", err)
	}
	for keys, noted := range map[int]bool{30: true, 400: false} {
		s, err := strengths(keys)
		if err != nil {
			t.Fatal(err)
		}
		is := slices.ContainsFunc(s.Notes, func(note string) bool {
			return strings.Contains(note, "numbers of cases differ from 400 by") &&
				strings.Contains(note, "without a Key")
		})
		if is != noted {
			t.Errorf("%d keys: notes %q", keys, s.Notes)
		}
	}
}

// counted counts in replicates of the cases as the hash says, and in the database.
func counted(t *testing.T, c *sqldata.Cases, f *fake, n int, seed uint64) (got, want [][]data.FamilyCounts) {
	t.Helper()
	list := sqltest.Families(c.Variables())
	weights, count, err := c.Replicates(t.Context(), n, seed)
	if err == nil {
		got, err = count(t.Context(), list, skip, 0, n)
	}
	if err != nil {
		t.Fatal(err)
	}
	want = make([][]data.FamilyCounts, len(list))
	for i := range n {
		draw, times := sqltest.Times(seed, uint64(i)), make([]float64, len(f.keys))
		for row, key := range f.keys {
			times[row] = draw(key)
		}
		drawn, err := f.cases.WithWeights(times)
		if err != nil {
			t.Fatal(err)
		}
		if weights[i] != drawn.TotalWeight() {
			t.Fatalf("replicate %d weighs %v, want %v", i, weights[i], drawn.TotalWeight())
		}
		counts, err := drawn.CountFamilies(t.Context(), list, skip)
		if err != nil {
			t.Fatal(err)
		}
		for k := range list {
			want[k] = append(want[k], counts[k])
		}
	}
	return got, want
}

func sameCounts(t *testing.T, got, want [][]data.FamilyCounts) {
	t.Helper()
	for f := range want {
		if len(got[f]) != len(want[f]) {
			t.Fatalf("family %d: %d replicates, want %d", f, len(got[f]), len(want[f]))
		}
		for i := range want[f] {
			if !slices.Equal(got[f][i].N, want[f][i].N) {
				t.Fatalf("family %d, replicate %d: %v, want %v", f, i, got[f][i].N, want[f][i].N)
			}
		}
	}
}

// A statement counts for 256 replicates: those after them come from another one, in their order.
func TestManyReplicates(t *testing.T) {
	c, f := openShared(t, sqldata.PostgreSQL(), 30, 25, sqldata.Options{})
	got, want := counted(t, c, f, 300, 5)
	sameCounts(t, got, want)
	_, count, err := c.Replicates(t.Context(), 300, 5)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = 250, 261
	for i := range want {
		want[i] = want[i][from:to]
	}
	if got, err = count(t.Context(), sqltest.Families(c.Variables()), skip, from, to); err != nil {
		t.Fatal(err)
	}
	sameCounts(t, got, want)
	if _, err := count(t.Context(), nil, skip, 290, 301); err == nil || !strings.Contains(err.Error(), "0 to 299") {
		t.Errorf("replicates that there are not: %v", err)
	}
}

// No statement fetches more numbers than MaxRows; what they say is the same.
func TestReplicatesForFewRows(t *testing.T) {
	const most = 200
	c, f := openShared(t, sqldata.PostgreSQL(), 60, 50, sqldata.Options{MaxRows: most})
	before := len(f.texts())
	fetched := c.Cost().Rows
	got, want := counted(t, c, f, 12, 5)
	sameCounts(t, got, want)
	texts := f.texts()[before:]
	if len(texts) < 3 {
		t.Errorf("%d statements for %d rows", len(texts), c.Cost().Rows-fetched)
	}
	for _, text := range texts {
		_, list, _ := strings.Cut(text, " GROUP BY ")
		cells := 0.0
		for set := range strings.SplitSeq(list, "), (") { // of two states and missing each
			cells += min(60, math.Pow(3, float64(strings.Count(set, `"c`))))
		}
		if sums := strings.Count(text, "SUM("); sums > 1 && float64(sums)*cells > most {
			t.Errorf("%d sums for %v cells", sums, cells)
		}
	}
}

// Without the memory for several groupings at once a database is asked for half as many, and not again for all.
func TestReplicatesForLittleMemory(t *testing.T) {
	c, f := openShared(t, apart(sqldata.PostgreSQL()), 40, 40, sqldata.Options{})
	before, failed := len(f.texts()), 0
	f.trouble = func(n int) (error, int, error) {
		if text := f.sent[n-1].text; failed == 0 && strings.Contains(text, "GROUPING SETS") {
			failed++
			return nil, 1, stateError("53200") // a row came before
		}
		return nil, 0, nil
	}
	got, want := counted(t, c, f, 4, 5)
	sameCounts(t, got, want)
	var sets []int
	for _, text := range f.texts()[before+1:] { // after the weights
		sets = append(sets, strings.Count(text, "), (")+1)
	}
	if failed != 1 || sets[0] < 2 || slices.Max(sets[1:]) != sets[0]/2 {
		t.Errorf("%d failed of the statements for %v groupings", failed, sets)
	}
}
