package hierarchy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// TestPairs: three images of two series are two pairs of each, none across.
func TestPairs(t *testing.T) {
	c := &collection{images: 3, columns: [][]bn.State{{0, 1, 0, 1, 1, 0}, {1, 1, 1, 0, 0, 0}}}
	table, err := c.pairs(variables([]string{"a", "b"}, 2))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, column := range table.Columns() {
		got += fmt.Sprint(column.Var.Name, column.States, " ")
	}
	if want := "a[0][0 1 1 1] b[0][1 1 0 0] a[1][1 0 1 0] b[1][1 1 0 0] "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMeanRows: the rows of all tables are summed before they are divided.
func TestMeanRows(t *testing.T) {
	var tables []*data.Table
	for _, rows := range []int{3, 5, 7} {
		c := &collection{images: rows + 1, columns: [][]bn.State{make([]bn.State, rows+1)}}
		table, err := c.pairs(variables([]string{"a"}, 2))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	if got := meanRows(tables); got != 5 {
		t.Errorf("%d rows on average, want 5", got)
	}
}

// TestFit: posterior means by hand, and the probability of a series as the product of its table entries.
func TestFit(t *testing.T) {
	c := &collection{images: 5, columns: [][]bn.State{{0, 0, 1, 1, 0}, {0, 0, 0, 1, 1}}}
	pairs, err := c.pairs(variables([]string{"a", "b"}, 2))
	if err != nil {
		t.Fatal(err)
	}
	s, err := structure.NewScorer(pairs, structure.BDeu{EquivalentSampleSize: 8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := fit(t.Context(), s, graph{nil, {0}}, worth(8))
	if err != nil {
		t.Fatal(err)
	}
	// a at t+1: 0 1 1 0, pseudocounts 4 and 4. b given a: after 0 comes 0, 0; after 1 comes 1, 1; pseudocounts 2 each.
	want := math.Log(math.Pow(6.0/12, 4) * math.Pow(4.0/6, 4))
	if got := l.logLikelihood(c, make(map[share][]float64))[0]; math.Abs(got-want) > 1e-12 {
		t.Errorf("log-likelihood %v, want %v", got, want)
	}
	if got := accuracy(l, l, c, c, make(map[share][]float64)); got != 0.5 {
		t.Errorf("equal networks are right for %v", got)
	}
}

// TestKnownTables: series are drawn from the tables, seen as frequencies that the tables explain, at all
// times. A model is told from one of other links.
func TestKnownTables(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 0))
	g, err := b06.randomGraph(parentWise, []int{1, 4, 2}, src)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newModel(g, 4, 0.9, 0.1, src)
	if err != nil {
		t.Fatal(err)
	}
	c := &collection{images: 50_000}
	c.columns = m.sample(nil, c.images, src)
	pairs, err := c.pairs(variables(b06.names, 4))
	if err != nil {
		t.Fatal(err)
	}
	s, err := structure.NewScorer(pairs, structure.BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := fit(t.Context(), s, g, worth(1))
	if err != nil {
		t.Fatal(err)
	}
	for v, table := range m.tables {
		for row, p := range table.rows {
			for x := range p {
				// The rarest configuration of three parents has a weight of about 1/64 or less.
				se := math.Sqrt(p[x] * (1 - p[x]) / (float64(c.images) * table.weights[row]))
				if got := math.Exp(l.logs[v][row*4+x]); math.Abs(got-p[x]) > 5*se+1e-3 {
					t.Errorf("%s, row %d, state %d: %v, want %v", b06.names[v], row, x, got, p[x])
				}
			}
		}
	}
	// The first image has the same distribution as all others: a chi-square of 3 degrees of freedom for each variable.
	first := make([][]float64, len(m.tables))
	const series = 2000
	for range series {
		columns := m.sample(nil, 1, src)
		for v := range columns {
			if first[v] == nil {
				first[v] = make([]float64, 4)
			}
			first[v][columns[v][0]]++
		}
	}
	for v, table := range m.tables {
		chi := 0.0
		for x, p := range table.marginal() {
			chi += (first[v][x] - series*p) * (first[v][x] - series*p) / (series * p)
		}
		if chi > 25 { // one in 60,000
			t.Errorf("%s: first images %v for %v", b06.names[v], first[v], table.marginal())
		}
	}
}

// TestDisturb: rows stay distributions, and no entries is no noise.
func TestDisturb(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 0))
	g, _ := b06.randomGraph(parentWise, []int{1, 4, 2}, src)
	m, err := newModel(g, 4, 0.9, 0.1, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, entries := range []int{0, 3} {
		d := m.disturb(entries, src)
		for v, table := range d.tables {
			changed := 0
			for c, row := range table.rows {
				sum := 0.0
				for x, p := range row {
					sum += p
					if math.Abs(p-m.tables[v].rows[c][x]) > 1e-9 {
						changed++
					}
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("row sums to %v", sum)
				}
			}
			if (changed > 0) != (entries > 0) {
				t.Errorf("%d entries: %d cells changed", entries, changed)
			}
		}
	}
}

// TestOutcome: measures of B06 §3.1 by hand.
func TestOutcome(t *testing.T) {
	o := outcome{Found: 8, Right: 6, True: 10}
	if precisionOf(o) != 0.75 || recallOf(o) != 0.6 || precisionOf(outcome{True: 1}) != 1 {
		t.Error(precisionOf(o), recallOf(o))
	}
	if at, ok := crossing([]float64{0, 2, 6}, []float64{5, 4, 1}, []float64{3, 3, 4}); !ok || at != 3 {
		t.Errorf("crossing at %v", at)
	}
	if _, ok := crossing([]float64{0, 1}, []float64{2, 2}, []float64{1, 1}); ok {
		t.Error("curves that do not cross")
	}
}

// TestWins: the search with the best score of a family gets a point; of a tie, each.
func TestWins(t *testing.T) {
	class := func(scores ...[]float64) (f []*found) {
		for _, s := range scores {
			f = append(f, &found{graph: make(graph, len(s)), scores: s})
		}
		return f
	}
	s := &Setting{Found: [2][]*found{class([]float64{-1, -2}, []float64{-1, -3}),
		class([]float64{5, 5}, []float64{6, 4})}}
	won, tied := s.wins(2)
	if fmt.Sprint(won, tied) != "[3 2] 1" {
		t.Errorf("won %v, %d tied", won, tied)
	}
}

// TestGraphs: Robinson's numbers of directed acyclic graphs (OEIS A003024).
func TestGraphs(t *testing.T) {
	for n, want := range []string{"1", "1", "3", "25", "543", "29281", "3781503", "1138779265"} {
		if got := graphs(n).String(); got != want {
			t.Errorf("%d nodes: %s, want %s", n, got, want)
		}
	}
}

// TestPeople joins signals and labels: a composite is the mean by voxels, standardised by person; a signal that never
// changes is 0; what has no name is left out.
func TestPeople(t *testing.T) {
	read := func(text string, opts *data.CSVOptions) *data.Table {
		t.Helper()
		table, err := data.ReadCSV(strings.NewReader(text), opts)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	signals := read(
		"file_id,dx_group,t,roi_1,roi_2,roi_3455\nx,1,0,1.5,0,1\nx,1,1,2.5,3,1\ny,2,0,2.5,8,1\ny,2,1,2.5,6,1\n",
		&data.CSVOptions{Discrete: []string{"file_id", "dx_group"}, Continuous: []string{"roi_1", "roi_2", "roi_3455"}})
	const head = "ho_id,ho_name,nvox3mm,tal_hemisphere,tal_lobe,tal_gyrus\n"
	opts := &data.CSVOptions{Discrete: []string{"ho_id", "ho_name"}, Continuous: []string{"nvox3mm"}}
	p, err := newPeople(signals, read(head+"1,one,3,L,F,g\n2,two,1,L,F,h\n3455,,2,,,\n", opts))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(p.groups, p.images, p.constant) != "[0 1] 2 2" { // region 1 of y, and g, which is made of it alone
		t.Errorf("groups %v, %d images, %d constant", p.groups, p.images, p.constant)
	}
	at, err := p.hierarchy.Index("L")
	if err != nil {
		t.Fatal(err)
	}
	half := math.Sqrt2 / 2 // two values, one standard deviation of n − 1 around their mean
	for row, want := range []float64{-half, half, half, -half} {
		if got := p.signals[at][row]; math.Abs(got-want) > 1e-12 {
			t.Errorf("L in row %d is %v, want %v", row, got, want)
		}
	}
	if _, err := newPeople(signals, read(head+"7,one,3,L,F,g\n", opts)); err == nil {
		t.Error("a label without a region: no error")
	}
}
