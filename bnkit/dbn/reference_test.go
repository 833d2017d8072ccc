package dbn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
)

// weather is the umbrella network of Russell and Norvig: rain lasts, umbrellas show it.
func weather(t testing.TB) *dbn.Network {
	t.Helper()
	net := network(t, "[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	for name, text := range map[string]string{
		"rain[0]": "no yes\n 0.5 0.5",
		"rain[1]": "rain[0] | no yes\n no | 0.7 0.3\n yes | 0.3 0.7",
		"umbrella[1]": `rain[1] | no  yes
			no  | 0.8 0.2
			yes | 0.1 0.9`,
	} {
		if err := net.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

// The scenes are small networks of every kind of family: several hidden variables, an input
// without a past that is a parent in the first slice, a sensor with a past, and one with a
// table of its own in the first slice.
var scenes = []struct{ name, model, hidden string }{
	{"hidden Markov", "[s|s[t-1]][y|s]", "s"},
	{"two states", "[a|a[t-1]:b[t-1]][b|b[t-1]:a][y|a:b]", "a b"},
	{"input", "[u][s|s[t-1]:u][y|s]", "s"},
	{"sensor with a past", "[s|s[t-1]][y|s:y[t-1]]", "s"},
	{"own first tables", "[u][s|u][y|s:u[t-1]][s[0]][y[0]|u]", "s u"},
	{"no past", "[s][y|s]", "s"},
}

// scene returns a network with random parameters. Variable y has three states, others two.
func scene(t testing.TB, model string, seed uint64) *dbn.Network {
	t.Helper()
	var vars []bn.Variable
	for _, name := range []string{"a", "b", "s", "u", "y"} {
		if !strings.Contains(model, "["+name) {
			continue
		}
		states := []string{"0", "1"}
		if name == "y" {
			states = append(states, "2")
		}
		vars = append(vars, bn.Discrete(name, states...))
	}
	net := network(t, model, vars...)
	random(net, rand.New(rand.NewPCG(seed, 0)))
	return net
}

func network(t testing.TB, model string, vars ...bn.Variable) *dbn.Network {
	t.Helper()
	net, err := dbn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// random draws the parameters of a template.
func random(net *dbn.Network, rng *rand.Rand) {
	two := net.Template()
	for v := range two.Len() {
		if c := two.CPT(v); c != nil {
			for config := range c.Configs().Len() {
				row, sum := c.Row(config), 0.0
				for state := range row {
					row[state] = rng.ExpFloat64()
					sum += row[state]
				}
				for state := range row {
					row[state] /= sum
				}
			}
			continue
		}
		g := two.Gaussian(v)
		for config := range g.Intercept {
			g.Intercept[config], g.Variance[config] = rng.NormFloat64(), 0.5+rng.Float64()
			for i := range g.Weights[config] {
				g.Weights[config][i] = rng.NormFloat64()
			}
		}
	}
}

// holes makes series of the given lengths in which some cells and rows are missing, and the
// hidden variables everywhere. The first and last row of a series stay, so that lengths do.
func holes(t testing.TB, net *dbn.Network, hidden string, seed uint64, lengths ...int) *dbn.Series {
	t.Helper()
	s, err := net.Sample(lengths, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range net.Variables() {
		if !strings.Contains(hidden, v.Name) {
			names = append(names, v.Name)
		}
	}
	s, err = s.Keep(names...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	var rows []int
	row := 0
	for i := range s.Len() {
		for slice := range s.Length(i) {
			if slice == 0 || slice == s.Length(i)-1 || rng.Float64() > 0.15 {
				rows = append(rows, row)
			}
			row++
		}
	}
	var cols []data.Column
	for _, c := range s.Table().Select(rows).Columns() {
		if c.Var.IsDiscrete() {
			states := append([]bn.State(nil), c.States...)
			for i := range states {
				if rng.Float64() < 0.15 {
					states[i] = bn.Missing
				}
			}
			c.States = states
		}
		cols = append(cols, c)
	}
	return series(t, table(t, cols...))
}

func table(t testing.TB, cols ...data.Column) *data.Table {
	t.Helper()
	tab, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func series(t testing.TB, tab *data.Table) *dbn.Series {
	t.Helper()
	s, err := dbn.NewSeries(tab, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// csv reads series from text.
func csv(t testing.TB, text string) *dbn.Series {
	t.Helper()
	tab, err := data.ReadCSV(strings.NewReader(strings.ReplaceAll(text, " ", "")), nil)
	if err != nil {
		t.Fatal(err)
	}
	return series(t, tab)
}

// A world is one complete course of a series with its probability.
type world struct {
	states [][]int // by slice and variable
	p      float64
	last   int // number of the last joint state
}

// worlds enumerates the courses of a length that agree with what series i has observed up to
// slice upTo, by the definition of a dynamic network and nothing of its engine: tables are
// looked up by the names in them.
func worlds(t testing.TB, net *dbn.Network, s *dbn.Series, i, length, upTo int) []world {
	t.Helper()
	vars := net.Variables()
	seen := make([]map[string]string, length)
	for slice := range seen {
		seen[slice] = map[string]string{}
	}
	name, err := s.Table().Column("series")
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.Table().Column("time")
	if err != nil {
		t.Fatal(err)
	}
	for row := range s.Table().Rows() {
		var time int64
		if _, err := fmt.Sscan(at.Text(row), &time); err != nil {
			t.Fatal(err)
		}
		if slice := int(time - s.Time(i, 0)); name.Text(row) == s.Name(i) && slice <= upTo {
			for _, c := range s.Table().Columns()[2:] {
				if !c.IsMissing(row) {
					seen[slice][c.Var.Name] = c.Text(row)
				}
			}
		}
	}
	list := []world{{p: 1}}
	known := map[[3]int]float64{} // chance by first or later slice and joint states before and now
	for slice := range length {
		var next []world
		for _, w := range list {
			for now, states := range product(vars) {
				agrees := true
				for v, state := range states {
					want, ok := seen[slice][vars[v].Name]
					agrees = agrees && (!ok || want == vars[v].States[state])
				}
				if agrees {
					course := append(append([][]int(nil), w.states...), states)
					key := [3]int{min(slice, 1), w.last, now}
					if _, ok := known[key]; !ok {
						known[key] = chance(t, net, course, slice)
					}
					next = append(next, world{course, w.p * known[key], now})
				}
			}
		}
		list = next
	}
	return list
}

func product(vars []bn.Variable) [][]int {
	list := [][]int{nil}
	for _, v := range vars {
		var next [][]int
		for _, states := range list {
			for state := range v.Cardinality() {
				next = append(next, append(append([]int(nil), states...), state))
			}
		}
		list = next
	}
	return list
}

// chance is the probability of a slice given the one before.
func chance(t testing.TB, net *dbn.Network, course [][]int, slice int) float64 {
	p := 1.0
	for v := range net.Variables() {
		c, config := lookUp(t, net, course, slice, v)
		p *= c.Row(config)[course[slice][v]]
	}
	return p
}

// lookUp finds the table of a variable in a slice and the parent configuration. A variable has
// in the first slice the table of its own when there is one, and else that of later slices.
func lookUp(t testing.TB, net *dbn.Network, course [][]int, slice, v int) (*bn.CPT, int) {
	t.Helper()
	vars := net.Variables()
	own := strings.Contains(net.String(), "["+vars[v].Name+"[0]")
	for _, bracket := range strings.SplitAfter(net.String(), "][") {
		head, parents, _ := strings.Cut(bracket, "|")
		own = own || strings.Trim(head, "[") == vars[v].Name && strings.Contains(parents, "t-1")
	}
	base := 1 // the slice of the template that stands for this one
	if slice == 0 && own {
		base = 0
	}
	c, err := net.Template().Table(dbn.At(vars[v].Name, base))
	if err != nil {
		t.Fatal(err)
	}
	given := bn.Given{}
	for u, variable := range vars {
		for lag := range 2 {
			for _, p := range c.Parents {
				if base-lag >= 0 && p.Name == dbn.At(variable.Name, base-lag) {
					given[p.Name] = variable.States[course[slice-lag][u]]
				}
			}
		}
	}
	config, err := c.Config(given)
	if err != nil {
		t.Fatal(err)
	}
	return c, config
}

// total is the probability of all courses.
func total(list []world) float64 {
	sum := 0.0
	for _, w := range list {
		sum += w.p
	}
	return sum
}

// posterior is that of a variable in a slice.
func posterior(list []world, slice, v, card int) []float64 {
	p, sum := make([]float64, card), total(list)
	for _, w := range list {
		p[w.states[slice][v]] += w.p / sum
	}
	return p
}

// logLikelihood is that of all series.
func logLikelihood(t testing.TB, net *dbn.Network, s *dbn.Series) float64 {
	sum := 0.0
	for i := range s.Len() {
		sum += math.Log(total(worlds(t, net, s, i, s.Length(i), s.Length(i))))
	}
	return sum
}

// parameters lays out the tables of the template.
func parameters(net *dbn.Network) []float64 {
	two := net.Template()
	theta := make([]float64, two.Layout().Len())
	for v := range two.Len() {
		lo, hi := two.Layout().Family(v)
		if hi > lo {
			copy(theta[lo:hi], two.CPT(v).P)
		}
	}
	return theta
}
