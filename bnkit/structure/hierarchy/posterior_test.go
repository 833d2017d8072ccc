package hierarchy_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// The prior as an average of products over families is the prior, for small and large α.
func TestPriorMixture(t *testing.T) {
	for _, alpha := range []float64{0, 1e-300, 1e-9, 0.01, 0.5, 1, 4, 100, 1e9, 1e300, math.Inf(1)} {
		prior := hierarchy.Prior{Alpha: alpha}
		for _, most := range []int{0, 1, 2, 5, 10, 60} {
			weights, bases := mixtureOf(t, prior, smallTrellis(t), most)
			for v := range most + 1 {
				sum := 0.0
				for k, w := range weights {
					if w < 0 || bases[k] < 0 {
						t.Fatalf("α = %v: weight %v of base %v", alpha, w, bases[k])
					}
					sum += w * math.Pow(bases[k], float64(v))
				}
				want := math.Exp(prior.LogPrior(float64(v)))
				if !(math.Abs(sum-want) <= 1e-12*want) {
					t.Errorf("α = %v, %d of %d violations: %v, want %v", alpha, v, most, sum, want)
				}
			}
		}
	}
}

func mixtureOf(t *testing.T, p hierarchy.Prior, h *hierarchy.Hierarchy, most int) (weights, bases []float64) {
	t.Helper()
	term, err := p.Graph(h)
	if err != nil {
		t.Fatal(err)
	}
	return term.(interface {
		Mixture(most int) (weights, bases []float64)
	}).Mixture(most)
}

// Arcs, paths and blankets under a hierarchy's prior are those of a walk through all 29,281 graphs of five variables,
// by exact sums and, within their standard errors, by chains.
func TestPriorPosteriorIsEnumeration(t *testing.T) {
	h, err := hierarchy.New([]string{"a", "b", "c"}, hierarchy.Composite{Name: "u", Of: []string{"a", "b"}},
		hierarchy.Composite{Name: "top", Of: []string{"u", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	const n = 5
	var vars familyScores
	for _, name := range h.Names() {
		vars = append(vars, bn.Discrete(name, "no", "yes"))
	}
	for _, alpha := range []float64{0.3, 5, math.Inf(1)} {
		prior := hierarchy.Prior{Alpha: alpha}
		term, err := prior.Graph(h)
		if err != nil {
			t.Fatal(err)
		}
		want := walk(t, h, vars, prior)
		set := &structure.Settings{GraphPrior: term}
		exact, err := posterior.Learn(t.Context(), vars, posterior.Exact{Draws: 4000, Seed: 3}, set)
		if err != nil {
			t.Fatal(err)
		}
		chains, err := posterior.Learn(t.Context(), vars, posterior.Partitions{Steps: 20000, Seed: 2}, set)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, exact.LogSum, want.logSum, 1e-9, 0)
		for u := range n {
			for v := range n {
				if u == v {
					continue
				}
				drawn := 0.0
				for _, d := range exact.Draws {
					if slices.Contains(d.Parents(v), u) {
						drawn += 1 / float64(len(exact.Draws))
					}
				}
				p := want.arcs[u][v]
				if math.Abs(drawn-p) > 5*math.Sqrt(p*(1-p)/4000)+1e-9 {
					t.Errorf("α = %v, arc %d %d: %v of the draws, want %v", alpha, u, v, drawn, p)
				}
				for _, c := range []struct {
					what  string
					exact func(u, v int) (float64, float64)
					chain func(u, v int) (float64, float64)
					want  float64
				}{
					{"arc", exact.Arc, chains.Arc, want.arcs[u][v]},
					{"path", exact.Path, chains.Path, want.paths[u][v]},
					{"blanket", exact.Blanket, chains.Blanket, want.blankets[u][v]},
				} {
					what := fmt.Sprintf("α = %v, %s %d %d", alpha, c.what, u, v)
					got, e := c.exact(u, v)
					if e != 0 || math.Abs(got-c.want) > 1e-9 {
						t.Errorf("%s: %v ± %v, want %v", what, got, e, c.want)
					}
					if got, e = c.chain(u, v); math.Abs(got-c.want) > 5*e || e > 0.04 {
						t.Errorf("%s by chains: %v ± %v, want %v", what, got, e, c.want)
					}
				}
			}
		}
	}
}

// familyScores are made up from the numbers of a family's variables.
type familyScores []bn.Variable

func (f familyScores) Variables() []bn.Variable { return f }

func (f familyScores) Families(_ context.Context, child int, sets [][]int) ([]float64, error) {
	var out []float64
	for _, set := range sets {
		out = append(out, f.score(child, set))
	}
	return out, nil
}

func (familyScores) score(child int, set []int) float64 {
	score := -100.0
	for _, p := range set {
		score += 1.1 * math.Sin(float64(1+7*child+3*p*p+len(set)))
	}
	return score
}

// A walked is what a walk through all graphs finds.
type walked struct {
	logSum                float64
	arcs, paths, blankets [5][5]float64
}

// walk visits all graphs of five variables, adds scores and the prior of the graph's violations, counted by the
// hierarchy from its links, and counts arcs, paths and blankets by d-separation's own definitions.
func walk(t *testing.T, h *hierarchy.Hierarchy, vars familyScores, prior hierarchy.Prior) walked {
	t.Helper()
	const n = 5
	var out walked
	links := make(hierarchy.Links, n)
	total := 0.0
	var visit func(v int)
	visit = func(v int) {
		if v < n {
			for set := range 1 << n {
				if set>>v&1 == 1 {
					continue
				}
				links[v] = nil
				for p := range n {
					if set>>p&1 == 1 {
						links[v] = append(links[v], p)
					}
				}
				visit(v + 1)
			}
			return
		}
		var reach [n][n]bool
		for c, parents := range links {
			for _, p := range parents {
				reach[p][c] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		for i := range n {
			if reach[i][i] {
				return
			}
		}
		log := prior.LogPrior(float64(h.Violations(hierarchy.ParentWise{}, links)))
		for c, parents := range links {
			log += vars.score(c, parents)
		}
		w := math.Exp(log + 500)
		total += w
		for u := range n {
			for v := range n {
				arc := slices.Contains(links[v], u)
				blanket := arc || slices.Contains(links[u], v)
				for _, parents := range links {
					blanket = blanket || slices.Contains(parents, u) && slices.Contains(parents, v)
				}
				if arc {
					out.arcs[u][v] += w
				}
				if reach[u][v] {
					out.paths[u][v] += w
				}
				if blanket {
					out.blankets[u][v] += w
				}
			}
		}
	}
	visit(0)
	for u := range n {
		for v := range n {
			out.arcs[u][v] /= total
			out.paths[u][v] /= total
			out.blankets[u][v] /= total
		}
	}
	out.logSum = math.Log(total) - 500
	return out
}
