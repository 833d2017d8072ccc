package apn

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// TestProject compares with a search over a grid of distributions.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	const steps = 200
	for range 20 {
		row := []float64{4 * rng.NormFloat64(), rng.Float64(), rng.NormFloat64()}
		distance := func(p []float64) float64 {
			d := 0.0
			for i, x := range p {
				d += (x - row[i]) * (x - row[i])
			}
			return d
		}
		got := append([]float64(nil), row...)
		project(got)
		near(t, "sum", got[0]+got[1]+got[2], 1, 1e-12)
		for i := range steps + 1 {
			for j := range steps + 1 - i {
				p := []float64{float64(i) / steps, float64(j) / steps, float64(steps-i-j) / steps}
				if distance(p) < distance(got)-1e-9 {
					t.Fatalf("%v is projected to %v, %v is nearer", row, got, p)
				}
			}
		}
		for _, p := range got {
			if p < leastOfPlain {
				t.Errorf("%v has an entry below %v", got, leastOfPlain)
			}
		}
	}
}

// TestPlainAscent: of 64, 16 and 4 cases, division stands still at their roots, 8 : 4 : 2, and projection at the
// maximum; the cases are gone through as often as allowed.
func TestPlainAscent(t *testing.T) {
	x := bn.Discrete("X", "a", "b", "c")
	net, err := bn.New("[X]", x)
	if err != nil {
		t.Fatal(err)
	}
	column := data.Column{Var: x}
	for state, n := range []int{64, 16, 4} {
		for range n {
			column.States = append(column.States, bn.State(state))
		}
	}
	table, err := data.New(column)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		back renormalize
		want []float64
	}{{divide, []float64{8. / 14, 4. / 14, 2. / 14}}, {project, []float64{64. / 84, 16. / 84, 4. / 84}}} {
		var last []float64
		cases := &counted{Cases: lastSeen{plan, &last}, at: []int{10, 3000}, followed: func(int, float64, []float64) {}}
		if _, err := plainAscent(cases, net, 0.02, tt.back); err != nil {
			t.Fatal(err)
		}
		if cases.n != 3000 {
			t.Errorf("%d evaluations, want 3000", cases.n)
		}
		for i, want := range tt.want {
			near(t, "entry", last[i], want, 1e-6)
		}
	}
}

// lastSeen keeps the tables at which cases were last gone through.
type lastSeen struct {
	*infer.Plan
	last *[]float64
}

func (c lastSeen) Expect(n, theta []float64) (float64, error) {
	*c.last = append((*c.last)[:0], theta...)
	return c.Plan.Expect(n, theta)
}

// TestCounted keeps the best tables at the counts, also after an early end.
func TestCounted(t *testing.T) {
	var seen []float64
	c := &counted{at: []int{1, 3, 9}, followed: func(_ int, loglik float64, theta []float64) {
		seen = append(seen, loglik, theta[0])
	}}
	for i, loglik := range []float64{-5, -2, -4, -3} {
		c.see(loglik, nil, []float64{float64(i)})
	}
	c.rest()
	if len(seen) != 6 || seen[0] != -5 || seen[2] != -2 || seen[3] != 1 || seen[4] != -2 || seen[5] != 1 {
		t.Errorf("followed %v, want −5 at the first, and −2 at the second since", seen)
	}
}
