package netdoc

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// fever is a noisy-MAX node of three states with a parent of three, whose strengths are not
// in the order of its states, and one of two.
func fever() *NoisyMAX {
	return &NoisyMAX{
		Child:     bn.Discrete("fever", "high", "mild", "none"),
		Parents:   []bn.Variable{bn.Discrete("flu", "no", "severe", "light"), bn.Discrete("cold", "yes", "no")},
		Strengths: [][]int{{1, 2, 0}, {0, 1}},
		Effects: [][][]float64{
			{{0.7, 0.2, 0.1}, {0.1, 0.6, 0.3}, {0, 0, 1}},
			{{0.05, 0.35, 0.6}, {0, 0, 1}},
		},
		Leak: []float64{0.01, 0.04, 0.95},
	}
}

// enumerated is the probability of a state by the definition: the sum over all effects of
// parents and leak whose strongest is that state.
func enumerated(m *NoisyMAX, states []int, y int) float64 {
	columns := [][]float64{m.Leak}
	for p, s := range states {
		for k, of := range m.Strengths[p] {
			if of == s {
				columns = append(columns, m.Effects[p][k])
			}
		}
	}
	var sum func(i, strongest int, product float64) float64
	sum = func(i, strongest int, product float64) float64 {
		if i == len(columns) {
			if strongest == y {
				return product
			}
			return 0
		}
		total := 0.0
		for effect, x := range columns[i] {
			total += sum(i+1, min(strongest, effect), product*x)
		}
		return total
	}
	return sum(0, len(m.Leak)-1, 1)
}

func TestNoisyMAX(t *testing.T) {
	m := fever()
	c, err := m.CPT()
	if err != nil {
		t.Fatal(err)
	}
	for config := range c.Configs().Len() {
		states := c.Configs().States(nil, config)
		for y, got := range c.Row(config) {
			if want := enumerated(m, states, y); math.Abs(got-want) > 1e-15 {
				t.Errorf("P(%s | %v) = %v, by enumeration %v", m.Child.States[y], c.ConfigNames(config), got, want)
			}
		}
	}
	// By hand: none needs the leak, the light flu and the cold to do nothing.
	row := c.Row(c.Configs().Index([]int{2, 0}))
	if want := 0.95 * 0.3 * 0.6; math.Abs(row[2]-want) > 1e-16 {
		t.Errorf("P(none | light, yes) = %v, want %v", row[2], want)
	}
	// And with no parent at work the row is the leak.
	row = c.Row(c.Configs().Index([]int{0, 1}))
	for y, want := range m.Leak {
		if math.Abs(row[y]-want) > 1e-16 {
			t.Errorf("the row without effects is %v, want the leak %v", row, m.Leak)
		}
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

func TestNoisyMAXRefuses(t *testing.T) {
	for _, x := range []struct {
		change func(*NoisyMAX)
		want   string
	}{
		{func(m *NoisyMAX) { m.Strengths[0][0] = 2 }, "order of strength [2 2 0]"},
		{func(m *NoisyMAX) { m.Strengths[0][0] = -1 }, "order of strength"},
		{func(m *NoisyMAX) { m.Effects[1][1][0], m.Effects[1][1][2] = 0.5, 0.5 }, "weakest"},
		{func(m *NoisyMAX) { m.Effects[0][0][0] = 0.9 }, "flu=severe sum to"},
		{func(m *NoisyMAX) { m.Leak[0] = math.NaN() }, "not a probability"},
		{func(m *NoisyMAX) { m.Leak = m.Leak[:2] }, "3 states"},
		{func(m *NoisyMAX) { m.Parents = m.Parents[:1] }, "for 1 parents"},
		{func(m *NoisyMAX) { m.Child.States = m.Child.States[:1] }, "two are needed"},
	} {
		m := fever()
		x.change(m)
		if _, err := m.CPT(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want one with %q", err, x.want)
		}
	}
	if _, _, _, err := fever().Links(); err == nil || !strings.Contains(err.Error(), "noisy-OR is for two") {
		t.Errorf("links of a node with three states: %v", err)
	}
}

// TestNoisyMAXRounded divides effects that sum to a little less than 1 by their sum.
func TestNoisyMAXRounded(t *testing.T) {
	m := &NoisyMAX{
		Child: bn.Discrete("y", "yes", "no"), Parents: []bn.Variable{bn.Discrete("x", "yes", "no")},
		Strengths: [][]int{{0, 1}}, Effects: [][][]float64{{{0.3333333, 0.6666660}, {0, 1}}},
		Leak: []float64{0.1, 0.8999995},
	}
	c, err := m.CPT()
	if err != nil {
		t.Fatal(err)
	}
	absent := 0.6666660 / 0.9999993 * (0.8999995 / 0.9999995) // by hand, x present
	if row := c.Row(0); math.Abs(row[1]-absent) > 1e-15 || math.Abs(row[0]+row[1]-1) > 1e-15 {
		t.Errorf("row %v, want no %v", row, absent)
	}
}
