package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// fever has a child of three states, a set of one parent of three states and one of two parents.
func fever(t *testing.T) (*bn.Network, constraint.NoisyMAX) {
	t.Helper()
	net, err := bn.New("[flu][cold][asthma][fever|flu:cold:asthma]",
		bn.Discrete("flu", "none", "light", "severe"), bn.Discrete("cold", "no", "yes"),
		bn.Discrete("asthma", "no", "yes"), bn.Discrete("fever", "none", "mild", "high"))
	if err != nil {
		t.Fatal(err)
	}
	return net, constraint.NoisyMAX{Child: "fever", Sets: [][]string{{"asthma", "cold"}, {"flu"}}}
}

var feverIdle = bn.Given{"flu": "none", "cold": "no", "asthma": "no"}

// effects are random ones, with a leak when s has idle states.
func effects(rng *rand.Rand, s constraint.NoisyMAX) []constraint.Effect {
	list := []constraint.Effect{{Parents: []string{"asthma", "cold"}}, {Parents: []string{"flu"}}, {}}
	for i, size := range []int{4, 3, 1} {
		for x := range size {
			p, total := make([]float64, 3), 0.0
			for y := range p {
				p[y] = 0.1 + rng.ExpFloat64()
				total += p[y]
			}
			for y := range p {
				if p[y] /= total; s.Idle != nil && x == 0 && i < 2 {
					p[y] = 0
				}
			}
			if s.Idle != nil && x == 0 && i < 2 {
				weakest := 0
				if s.Min {
					weakest = 2
				}
				p[weakest] = 1
			}
			list[i].P = append(list[i].P, p)
		}
	}
	return list
}

// A table is the sum over all effects whose strongest is the state.
func TestNoisyMAXByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	net, s := fever(t)
	for _, s.Min = range []bool{false, true} {
		for _, s.Idle = range []bn.Given{nil, feverIdle} {
			list := effects(rng, s)
			table, err := s.Table(net, list)
			if err != nil {
				t.Fatal(err)
			}
			for config := range table.Configs().Len() {
				x := table.Configs().States(nil, config) // flu, cold, asthma
				want := make([]float64, 3)
				for a, pa := range list[0].P[2*x[2]+x[1]] {
					for b, pb := range list[1].P[x[0]] {
						for l, pl := range list[2].P[0] {
							seen := max(a, b, l)
							if s.Min {
								seen = min(a, b, l)
							}
							want[seen] += pa * pb * pl
						}
					}
				}
				for y, got := range table.Row(config) {
					if !(math.Abs(got-want[y]) <= 1e-15) {
						t.Errorf("min %v: P(%d | %v) = %v, by enumeration %v", s.Min, y, x, got, want[y])
					}
				}
			}
			// What is read off it makes it again, and with idle states is what was put in.
			copy(net.CPT(3).P, table.P)
			read, err := s.Effects(net)
			if err != nil {
				t.Fatal(err)
			}
			again, err := s.Table(net, read)
			if err != nil {
				t.Fatal(err)
			}
			for k, p := range again.P {
				if !(math.Abs(p-table.P[k]) <= 1e-12) {
					t.Errorf("entry %d is %v, made again %v", k, table.P[k], p)
				}
			}
			for i := range read {
				for x, p := range read[i].P {
					for y := range p {
						if s.Idle != nil && !(math.Abs(p[y]-list[i].P[x][y]) <= 1e-12) {
							t.Errorf("effect %d: read %v, want %v", i, p, list[i].P[x])
						}
					}
				}
			}
		}
	}
}

// With two states a noisy-MAX is a noisy-OR, and so are the estimates.
func TestNoisyMAXOfTwoStates(t *testing.T) {
	net, or, _ := relapse(t)
	most := constraint.NoisyMAX{Child: or.Child, Sets: or.Sets}
	rng := rand.New(rand.NewPCG(2, 18))
	links, list := make([]constraint.SetLink, len(or.Sets)), make([]constraint.Effect, len(or.Sets))
	for i, set := range or.Sets {
		size := []int{4, 4, 3}[i]
		links[i] = constraint.SetLink{Parents: set, Link: rng.Float64()}
		for range size {
			p := rng.Float64()
			links[i].P = append(links[i].P, p)
			list[i].P = append(list[i].P, []float64{1 - p*links[i].Link, p * links[i].Link})
		}
	}
	a, err := or.Table(net, links, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := most.Table(net, append(list, constraint.Effect{P: [][]float64{{0.9, 0.1}}}))
	if err != nil {
		t.Fatal(err)
	}
	for k := range a.P {
		if !(math.Abs(a.P[k]-b.P[k]) <= 1e-12) {
			t.Errorf("entry %d: noisy-OR %v, noisy-MAX %v", k, a.P[k], b.P[k])
		}
	}
	var found [2][]float64
	for i, s := range []constraint.Constraint{or, most} {
		p, err := constraint.Compile(net, s)
		if err != nil {
			t.Fatal(err)
		}
		n := make([]float64, p.Layout().Len())
		rng := rand.New(rand.NewPCG(3, 18))
		for k := range n {
			n[k] = float64(rng.IntN(20))
		}
		solution, err := p.Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		found[i] = solution.Theta
	}
	for k := range found[0] {
		if !(math.Abs(found[0][k]-found[1][k]) <= 1e-12) {
			t.Errorf("entry %d: noisy-OR %v, noisy-MAX %v", k, found[0][k], found[1][k])
		}
	}
}

// Counts in the proportions of a planted table give it back, certified, with or without idle states, and statements
// that hold in it do not change that.
func TestNoisyMAXRecovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 18))
	net, s := fever(t)
	for _, s.Min = range []bool{false, true} {
		for _, s.Idle = range []bn.Given{nil, feverIdle} {
			table, err := s.Table(net, effects(rng, s))
			if err != nil {
				t.Fatal(err)
			}
			row := table.Row(0)
			for _, more := range [][]constraint.Constraint{nil, {
				constraint.Fixed{Var: "fever", Given: bn.Given{"flu": "none", "cold": "no", "asthma": "no"},
					P: map[string]float64{"none": row[0], "high": row[2]}},
				constraint.AtLeast{Var: "fever", Given: bn.Given{"flu": "light", "cold": "no", "asthma": "yes"},
					States: []string{"mild"}, P: 0.5 * table.Row(5)[1]},
			}} {
				p, err := constraint.Compile(net, append(more, s)...)
				if err != nil {
					t.Fatal(err)
				}
				n := make([]float64, p.Layout().Len())
				lo, hi := p.Layout().Family(3)
				for k, x := range table.P {
					n[lo+k] = 1000 * x
				}
				solution, err := p.Solve(n)
				if err != nil {
					t.Fatal(err)
				}
				if c := solution.Parts[0].Certificate(); !solution.Parts[0].Global {
					t.Errorf("certificate %v", c)
				}
				for k, got := range solution.Theta[lo:hi] {
					if !(math.Abs(got-table.P[k]) <= 1e-5) {
						t.Errorf("min %v, idle %v: entry %d is %v, planted %v", s.Min, s.Idle != nil, k, got,
							table.P[k])
					}
				}
			}
		}
	}
}

// A known leak of 0 forbids the child's other states where no parent acts, and cases of it are an error.
func TestNoisyMAXWithoutLeak(t *testing.T) {
	net, s := fever(t)
	s.Idle = feverIdle
	p, err := constraint.Compile(net, s, constraint.Fixed{Var: "fever", Given: feverIdle,
		P: map[string]float64{"none": 1}})
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, p.Layout().Len())
	lo, _ := p.Layout().Family(3)
	for k := range n {
		n[k] = 1
	}
	if _, err := p.Solve(n); !errors.Is(err, constraint.ErrInfeasible) ||
		!strings.Contains(err.Error(), "leaves no probability for P(fever=mild | flu=none, cold=no, asthma=no)") {
		t.Errorf("error %v", err)
	}
	n[lo+1], n[lo+2] = 0, 0
	solution, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(3).P, solution.Theta[lo:])
	read, err := s.Effects(net)
	if err != nil {
		t.Fatal(err)
	}
	if leak := read[2].P[0]; leak[0] != 1 {
		t.Errorf("leak %v", leak)
	}
}

// Bounds beside a noisy-OR: the maximum of three parameters by a grid that is made finer, under a bound of the leak
// and one of what a parent does alone.
func TestBoundsBesideNoisyOR(t *testing.T) {
	net, err := bn.New("[smoke][dust][cough|smoke:dust]", bn.Discrete("smoke", "no", "yes"),
		bn.Discrete("dust", "no", "yes"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	or := constraint.NoisyOR{Child: "cough", Sets: [][]string{{"smoke"}, {"dust"}}}
	p, err := constraint.Compile(net, or,
		constraint.AtMost{Var: "cough", Given: bn.Given{"smoke": "no", "dust": "no"}, States: []string{"yes"}, P: 0.05},
		constraint.AtLeast{Var: "cough", Given: bn.Given{"smoke": "yes", "dust": "no"}, States: []string{"yes"},
			P: 0.3},
		constraint.Influence{Parent: "dust", Child: "cough"})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 18))
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(2)
	for range 20 {
		for k := lo; k < hi; k++ {
			n[k] = float64(rng.IntN(12))
		}
		solution, err := p.Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		if c := solution.Parts[0].Certificate(); !solution.Parts[0].Global {
			t.Errorf("certificate %v", c)
		}
		got := 0.0
		for k := lo; k < hi; k++ {
			if n[k] > 0 {
				got += n[k] * math.Log(solution.Theta[k])
			}
		}
		value := func(leak, smoke, dust float64) float64 { // of absence: 1 − leak, and factors
			total := 0.0
			for x, f := range []float64{leak, leak * dust, leak * smoke, leak * smoke * dust} {
				for y, p := range []float64{f, 1 - f} {
					if c := n[lo+2*x+y]; c > 0 {
						total += c * math.Log(p)
					}
				}
			}
			return total
		}
		best, at, width := math.Inf(-1), [3]float64{0.5, 0.5, 0.5}, 0.5
		for ; width > 1e-7; width /= 2 {
			middle := at
			for i := -8.0; i <= 8; i++ {
				for j := -8.0; j <= 8; j++ {
					for k := -8.0; k <= 8; k++ {
						leak := min(max(middle[0]+i/8*width, 0.95), 1)
						smoke := min(max(middle[1]+j/8*width, 0), 0.7/leak)
						dust := min(max(middle[2]+k/8*width, 0), 1)
						if v := value(leak, smoke, dust); v > best {
							best, at = v, [3]float64{leak, smoke, dust}
						}
					}
				}
			}
		}
		if !(math.Abs(got-best) <= 1e-5) {
			t.Errorf("counts %v: log-likelihood %v, by a grid %v", n[lo:hi], got, best)
		}
	}
}

// An influence holds on a noisy-MAX, and a bound that is not convex is said to be only a local maximum when it binds.
func TestBesideNoisyMAX(t *testing.T) {
	net, s := fever(t)
	influence := constraint.Influence{Parent: "flu", Child: "fever", Margin: 0.02}
	middle := constraint.AtMost{Var: "fever", Given: bn.Given{"flu": "severe", "cold": "yes", "asthma": "yes"},
		States: []string{"mild"}, P: 0.1}
	p, err := constraint.Compile(net, s, influence, middle)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 18))
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(3)
	local := 0
	for range 10 {
		for k := lo; k < hi; k++ {
			n[k] = float64(rng.IntN(12))
		}
		solution, err := p.Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		copy(net.CPT(3).P, solution.Theta[lo:hi])
		if v, err := influence.Violation(net); err != nil || v > 1e-10 {
			t.Errorf("violation %v, error %v", v, err)
		}
		if mild := net.CPT(3).Row(11)[1]; mild > 0.1+1e-12 {
			t.Errorf("P(mild) = %v", mild)
		}
		if _, err := s.Effects(net); err != nil {
			t.Error(err)
		}
		switch part := solution.Parts[0]; {
		case part.Local && !part.Global:
			local++
		case !part.Global:
			t.Errorf("certificate %v", part.Certificate())
		}
	}
	if local == 0 {
		t.Error("no local maximum")
	}
}

// Rows without cases are determined where effects are, and flagged where not.
func TestNoisyMAXDetermines(t *testing.T) {
	net, s := fever(t)
	p, err := constraint.Compile(net, s)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, p.Layout().Len())
	lo, _ := p.Layout().Family(3)
	for _, config := range []int{0, 1, 2, 3, 4} { // flu none with all of the other set, flu light with nothing
		for y := range 3 {
			n[lo+3*config+y] = 5
		}
	}
	for k := range lo {
		n[k] = 1
	}
	solution, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	flagged := 0
	for _, f := range solution.Flags {
		if f.Var == "fever" {
			flagged++
			if !strings.Contains(f.Given, "flu=severe") {
				t.Error(f)
			}
		}
	}
	if flagged != 4 {
		t.Errorf("%d rows are flagged: %v", flagged, solution.Flags)
	}
}

func TestNoisyMAXRefuses(t *testing.T) {
	net, s := fever(t)
	list := func(list ...constraint.Constraint) []constraint.Constraint { return list }
	idle := func(states bn.Given) constraint.NoisyMAX {
		return constraint.NoisyMAX{Child: "fever", Sets: s.Sets, Idle: states}
	}
	for name, test := range map[string]struct {
		statements []constraint.Constraint
		want       error
		says       string
	}{
		"no child":      {list(constraint.NoisyMAX{}), nil, "has no Child"},
		"unknown child": {list(constraint.NoisyMAX{Child: "cough"}), bn.ErrUnknownVariable, "cough"},
		"a root":        {list(constraint.NoisyMAX{Child: "flu"}), nil, "has no parents"},
		"a missing set": {list(constraint.NoisyMAX{Child: "fever", Sets: s.Sets[:1]}), nil, "in no set"},
		"idle of some":  {list(idle(bn.Given{"flu": "none"})), nil, "lacks the parent"},
		"an idle state": {list(idle(bn.Given{"flu": "no", "cold": "no", "asthma": "no"})), bn.ErrUnknownState, "Idle"},
		"idle of other": {list(idle(bn.Given{"fever": "none"})), bn.ErrUnknownVariable, "Idle"},
		"other effects": {list(s, constraint.NoisyMAX{Child: "fever", Sets: s.Sets, Min: true}), constraint.ErrOverlap,
			"other sets"},
		"a known middle": {list(s, constraint.Fixed{Var: "fever", P: map[string]float64{"mild": 0.2}}),
			constraint.ErrOverlap, "equation of more than two terms"},
		"two bounds": {list(s, constraint.AtMost{Var: "fever", States: []string{"high"}, P: 0.2},
			constraint.AtLeast{Var: "fever", States: []string{"high"}, P: 0.3}), constraint.ErrInfeasible,
			"P(fever=high) ≤ 0.2"},
	} {
		_, err := constraint.Compile(net, test.statements...)
		if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %v that says %q", name, err, test.want, test.says)
		}
	}
	unordered := net.Variable(3)
	unordered.Sorted = true
	other, err := bn.New("[flu][fever|flu]", bn.Discrete("flu", "no", "yes"), unordered)
	if err != nil {
		t.Fatal(err)
	}
	_, err = constraint.Compile(other, constraint.NoisyMAX{Child: "fever"})
	if !errors.Is(err, constraint.ErrNoOrder) {
		t.Errorf("no order: error %v", err)
	}
	for name, list := range map[string][]constraint.Effect{
		"for 2 sets":           nil,
		"for 4 configurations": {{P: [][]float64{{1, 0, 0}}}, {}},
		"no distribution":      {{P: [][]float64{{1, 0}, {}, {}, {}}}, {}},
		"in all, not 1":        {{P: [][]float64{{1, 0, 0.5}, {}, {}, {}}}, {}},
	} {
		if _, err := s.Table(net, list); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("effects: error %v, want one with %q", err, name)
		}
	}
	copy(net.CPT(3).P[:3], []float64{0.1, 0.1, 0.8})
	if _, err := s.Effects(net); err == nil || !strings.Contains(err.Error(), "is off by") {
		t.Errorf("no noisy-MAX: error %v", err)
	}
}
