package constraint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// relapse is a child of five parents, one of three states, and what is said of it; "risk" makes it no
// parent of all.
func relapse(t testing.TB) (*bn.Network, constraint.NoisyOR, []constraint.Constraint) {
	var vars []bn.Variable
	for _, name := range []string{"age", "menopause", "size", "grade"} {
		vars = append(vars, bn.Discrete(name, "low", "high"))
	}
	vars = append(vars, bn.Discrete("therapy", "none", "some", "full"), bn.Discrete("relapse", "no", "yes"))
	net := network(t, "[age][menopause][size][grade][therapy][relapse|age:size:menopause:grade:therapy]", vars...)
	return net, constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age", "menopause"}, {"size", "grade"},
			{"therapy"}}},
		[]constraint.Constraint{
			constraint.Influence{Parent: "age", Child: "relapse"},
			constraint.Influence{Parent: "menopause", Child: "relapse"},
			constraint.Influence{Parent: "size", Child: "relapse"},
			&constraint.Influence{Parent: "grade", Child: "relapse"},
			constraint.Influence{Parent: "therapy", Child: "relapse", Sign: constraint.Negative},
			constraint.Synergy{Parents: []string{"age", "menopause"}, Child: "relapse"},
			&constraint.Synergy{Parents: []string{"grade", "size"}, Child: "relapse", Sub: true},
		}
}

// cases are counts of a child whose rows are drawn at random; some rows have none.
func cases(rng *rand.Rand, net *bn.Network, child string, count int) []float64 {
	n := make([]float64, net.Layout().Len())
	v, _ := net.Index(child)
	rows := net.CPT(v).Configs().Len()
	p := make([]float64, rows)
	for row := range p {
		p[row] = rng.Float64()
	}
	for range count {
		row := rng.IntN(rows)
		if row%8 == 5 {
			continue
		}
		state := 0
		if rng.Float64() < p[row] {
			state = 1
		}
		n[net.Layout().Cell(v, row, state)]++
	}
	return n
}

func under(first constraint.Constraint, rest ...constraint.Constraint) []constraint.Constraint {
	return append([]constraint.Constraint{first}, rest...)
}

func TestNoisyORErrors(t *testing.T) {
	net, s, _ := relapse(t)
	change := func(f func(*constraint.NoisyOR)) constraint.NoisyOR {
		c := s
		c.Sets = slices.Clone(s.Sets)
		f(&c)
		return c
	}
	for name, test := range map[string]struct {
		s    constraint.NoisyOR
		want error
		says []string
	}{
		"no child": {change(func(s *constraint.NoisyOR) { s.Child = "" }), nil, []string{"name the variable"}},
		"unknown child": {change(func(s *constraint.NoisyOR) { s.Child = "relaps" }), bn.ErrUnknownVariable,
			[]string{`"relaps"`}},
		"three states": {constraint.NoisyOR{Child: "therapy", Sets: [][]string{{"age"}}}, nil,
			[]string{`"therapy"`, "3 states"}},
		"unknown state": {change(func(s *constraint.NoisyOR) { s.Present = "ja" }), bn.ErrUnknownState,
			[]string{"Present", `"ja"`}},
		"no sets":      {change(func(s *constraint.NoisyOR) { s.Sets = nil }), nil, []string{"no sets"}},
		"an empty set": {change(func(s *constraint.NoisyOR) { s.Sets[1] = nil }), nil, []string{"set 2 is empty"}},
		"no parent": {change(func(s *constraint.NoisyOR) { s.Sets[2] = []string{"relapse"} }),
			bn.ErrUnknownVariable, []string{"no parent", "age, size, menopause, grade, therapy"}},
		"in two sets": {change(func(s *constraint.NoisyOR) { s.Sets[2] = []string{"age", "therapy"} }),
			constraint.ErrOverlap, []string{`"age"`, "{age, menopause}", "{age, therapy}"}},
		"twice in one set": {change(func(s *constraint.NoisyOR) { s.Sets[2] = []string{"therapy", "therapy"} }),
			constraint.ErrOverlap, []string{`"therapy" appears twice`}},
		"in no set": {change(func(s *constraint.NoisyOR) { s.Sets = s.Sets[:2] }), nil,
			[]string{`"therapy"`, "list it as a set of its own"}},
	} {
		_, err := constraint.Compile(net, test.s)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
			continue
		}
		for _, word := range test.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: error %q does not say %q", name, err, word)
			}
		}
	}
}

func TestNoisyORInWords(t *testing.T) {
	_, s, _ := relapse(t)
	for want, s := range map[string]constraint.NoisyOR{
		"sets {age, menopause}, {size, grade} and {therapy} cause relapse independently (noisy-OR)": s,
		"sets {a} and {b} cause c=no independently (noisy-OR)": {Child: "c",
			Sets: [][]string{{"a"}, {"b"}}, Present: "no"},
		"set {a, b} causes c independently (noisy-OR)": {Child: "c",
			Sets: [][]string{{"a", "b"}}},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, _ := constraint.Describe(nil, &s); got != "noisy-OR of sets (Y13)" {
		t.Errorf("class %q", got)
	}
	b, err := constraint.Marshal([]constraint.Constraint{s, constraint.NoisyOR{Child: "c", Sets: [][]string{{"a"}},
		Present: "no"}})
	if err != nil {
		t.Fatal(err)
	}
	want :=
		`[{"type":"noisy-or","statement":{"Child":"relapse","Sets":[["age","menopause"],["size","grade"],["therapy"]]}},{"type":"noisy-or","statement":{"Child":"c","Sets":[["a"]],"Present":"no"}}]`
	if string(b) != want {
		t.Errorf("written as %s, want %s", b, want)
	}
	again, err := constraint.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := json.Marshal(again[0]); fmt.Sprint(again[0]) != s.String() || !strings.Contains(want, string(c)) {
		t.Errorf("read back as %v", again[0])
	}
}

// What does not go with a noisy-OR is said by name.
func TestBesideNoisyOR(t *testing.T) {
	net, s, rest := relapse(t)
	for name, test := range map[string]struct {
		statements []constraint.Constraint
		want       error
		says       string
	}{
		"a synergy over sets": {under(s, constraint.Synergy{Parents: []string{"age", "size"},
			Child: "relapse"}), constraint.ErrOverlap, `"age" and "size" act in different sets`},
		"a synergy over sets of parents that both raise": {append(under(s, rest...), constraint.Synergy{
			Parents: []string{"age", "size"}, Child: "relapse"}), constraint.ErrInfeasible, "a sub-synergy, whatever"},
		"a synergy of three": {under(s, constraint.Synergy{Parents: []string{"age", "menopause", "size"},
			Child: "relapse"}), constraint.ErrOverlap, "a sub-synergy, whatever the data"},
		"of lower states": {under(constraint.NoisyOR{Child: "relapse", Sets: s.Sets, Present: "no"},
			constraint.Synergy{Parents: []string{"age", "size"}, Child: "relapse", Sub: true}),
			constraint.ErrOverlap, "a synergy, whatever the data"},
		"a sub-synergy without signs": {under(s, constraint.Synergy{Parents: []string{"age", "size"},
			Child: "relapse", Sub: true}), constraint.ErrOverlap, "state the influence of each"},
		"a sub-synergy with a margin": {append(under(s, rest...),
			constraint.Synergy{Parents: []string{"age", "size"}, Child: "relapse", Sub: true, Margin: 0.01}),
			constraint.ErrOverlap, "margin"},
		"a condition on another set": {under(s, constraint.Influence{Parent: "age", Child: "relapse",
			Given: bn.Given{"size": "low"}}), constraint.ErrOverlap, `"age" and "size" act in different sets`},
		"a synergy's condition": {under(s, constraint.Synergy{Parents: []string{"age", "menopause"},
			Child: "relapse", Given: bn.Given{"grade": "low"}}), constraint.ErrOverlap, `"grade"`},
		"a known value of 1": {under(s,
			constraint.Fixed{Var: "relapse", P: map[string]float64{"yes": 1}}), constraint.ErrOverlap,
			"which makes a probability 0"},
		"bounds that contradict": {under(s, constraint.AtMost{Var: "relapse", States: []string{"yes"}, P: 0.5},
			constraint.AtLeast{Var: "relapse", Given: bn.Given{"age": "high"}, States: []string{"yes"}, P: 0.6}),
			constraint.ErrInfeasible, `"P(relapse=yes) ≤ 0.5"`},
		"a formula": {under(s, constraint.Formula{Text: "f", Cells: []constraint.Cell{{Var: "relapse", State: "yes",
			Given: bn.Given{"age": "low", "menopause": "low", "size": "low", "grade": "low", "therapy": "none"}}},
			AtMost: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[0] - 0.5 }}}}),
			constraint.ErrOverlap, "only influences, synergies, known values"},
		"other sets": {under(s,
			constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"age"}, {"menopause"},
				{"size", "grade", "therapy"}}}), constraint.ErrOverlap, "other sets"},
		"both synergies of one pair": {under(s, constraint.Synergy{Parents: []string{"age", "menopause"},
			Child: "relapse"}, constraint.Synergy{Parents: []string{"age", "menopause"}, Child: "relapse", Sub: true}),
			constraint.ErrOverlap, "can only be equal"},
		"a margin that is too large": {under(s, constraint.Influence{Parent: "age", Child: "relapse", Margin: 0.3},
			constraint.Influence{Parent: "size", Child: "relapse", Margin: 0.3}), constraint.ErrInfeasible,
			"times as large at most"},
		"a margin and no effect at once": {under(s, constraint.Influence{Parent: "age", Child: "relapse", Margin: 0.1},
			constraint.Influence{Parent: "age", Child: "relapse", Sign: constraint.Negative}), constraint.ErrInfeasible,
			"make lower states"},
	} {
		_, err := constraint.Compile(net, test.statements...)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %v that says %q", name, err, test.want, test.says)
		}
	}
	if _, err := constraint.CompileSoft(net, 2, under(s, rest...)...); !errors.Is(err, constraint.ErrOverlap) {
		t.Errorf("as penalties: error %v", err)
	}
	// A sub-synergy over sets follows from signs, and a statement may be said twice.
	for _, more := range []constraint.Constraint{
		constraint.Synergy{Parents: []string{"menopause", "grade"}, Child: "relapse", Sub: true},
		constraint.NoisyOR{Child: "relapse", Sets: [][]string{{"grade", "size"}, {"therapy"}, {"menopause", "age"}},
			Present: "yes"},
	} {
		if _, err := constraint.Compile(net, append(under(s, rest...), more)...); err != nil {
			t.Error(err)
		}
	}
}

// Counts that are a noisy-OR's own give its table, with and without statements that it satisfies, and the
// links that it was made of.
func TestNoisyORIsFound(t *testing.T) {
	net, s, rest := relapse(t)
	links := []constraint.SetLink{
		{Parents: s.Sets[0], Link: 0.7, P: []float64{0, 0.3, 0.4, 1}},
		{Parents: s.Sets[1], Link: 0.5, P: []float64{0, 0.8, 0.6, 1}},
		{Parents: s.Sets[2], Link: 0.4, P: []float64{1, 0.5, 0}},
	}
	const wantLeak = 0.14
	table, err := s.Table(net, links, wantLeak)
	if err != nil {
		t.Fatal(err)
	}
	// age, size, menopause, grade, therapy: 0.86 without a leak, 1 − 0.7·0.4 in the first set, 1 − 0.5·0.8 in
	// the second, 1 − 0.4·0.5
	row, _ := table.Config(bn.Given{"age": "high", "menopause": "low", "size": "low", "grade": "high",
		"therapy": "some"})
	near(t, "a row by hand", table.Row(row), []float64{0.86 * 0.72 * 0.6 * 0.8, 1 - 0.86*0.72*0.6*0.8}, 1e-15)
	fitted := net.Clone()
	for name, statements := range map[string][]constraint.Constraint{"alone": {s}, "all": under(s, rest...)} {
		p := compile(t, net, statements...)
		n := make([]float64, p.Layout().Len())
		lo, hi := p.Layout().Family(5)
		for i, x := range table.P {
			n[lo+i] = 50 * x
		}
		got, err := p.Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, got.Theta[lo:hi], table.P, 1e-5)
		if part := got.Parts[0]; !part.Global || part.Method != "barrier Newton in log g" {
			t.Errorf("%s: %v", name, part)
		}
		copy(fitted.CPT(5).P, got.Theta[lo:hi])
		read, leak, err := s.Links(fitted)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(leak-wantLeak) <= 1e-4) {
			t.Errorf("%s: leak %v, want %v", name, leak, wantLeak)
		}
		for i, l := range read {
			if !slices.Equal(l.Parents, links[i].Parents) || !(math.Abs(l.Link-links[i].Link) <= 1e-4) {
				t.Errorf("%s: links %v, want %v", name, read, links)
			}
			near(t, name+": a cause", l.P, links[i].P, 1e-4)
		}
	}
}

// Links and probabilities of causes that a table has been made of come back in the form that is promised.
func TestLinks(t *testing.T) {
	net, s, _ := relapse(t)
	rng := rand.New(rand.NewPCG(31, 0))
	for _, present := range []string{"", "no"} {
		s.Present = present
		for range 20 {
			links := make([]constraint.SetLink, 3)
			for i, size := range []int{4, 4, 3} {
				links[i] = constraint.SetLink{Link: rng.Float64(), P: make([]float64, size)}
				for x := range links[i].P {
					links[i].P[x] = rng.Float64()
				}
			}
			given := rng.Float64()
			table, err := s.Table(net, links, given)
			if err != nil {
				t.Fatal(err)
			}
			made := net.Clone()
			copy(made.CPT(5).P, table.P)
			read, leak, err := s.Links(made)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range read {
				if slices.Max(l.P) != 1 || slices.Min(l.P) != 0 {
					t.Errorf("set %d has causes %v", i, l.P)
				}
				given = 1 - (1-given)*(1-links[i].Link*slices.Min(links[i].P)) // what a set never lacks is the leak's
			}
			near(t, "leak", []float64{leak}, []float64{given}, 1e-14)
			again, err := s.Table(net, read, leak)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "table", again.P, table.P, 1e-14)
			made.CPT(5).Row(11)[0] += 0.01
			made.CPT(5).Row(11)[1] -= 0.01
			if _, _, err := s.Links(made); err == nil || !strings.Contains(err.Error(), "no noisy-OR of these sets") {
				t.Errorf("a row is off by 0.01: error %v", err)
			}
		}
	}
	sure := net.Clone() // the child is there, whatever
	for config := range 48 {
		copy(sure.CPT(5).Row(config), []float64{0, 1})
	}
	s.Present = "yes"
	read, leak, err := s.Links(sure)
	if err != nil || leak != 1 || read[0].Link != 0 || read[1].Link != 0 {
		t.Errorf("links %v, leak %v, error %v", read, leak, err)
	}
	if got := read[1].String(); got != "{size, grade}: no effect" {
		t.Errorf("a set without effect prints as %q", got)
	}
	for name, bad := range map[string][]constraint.SetLink{
		"2 links":            {{}, {}},
		"2 probabilities":    {{P: make([]float64, 4)}, {P: make([]float64, 4)}, {P: make([]float64, 2)}},
		"NaN for {therapy}":  {{P: make([]float64, 4)}, {P: make([]float64, 4)}, {P: []float64{0, math.NaN(), 1}}},
		"1.5 for {age, meno": {{Link: 1.5, P: make([]float64, 4)}, {P: make([]float64, 4)}, {P: make([]float64, 3)}},
	} {
		if _, err := s.Table(net, bad, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, leak := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := s.Table(net, read, leak); err == nil || !strings.Contains(err.Error(), "the leak is") {
			t.Errorf("a leak of %v: error %v", leak, err)
		}
	}
}

// The equations of the statement are those of products: their slopes are right, also where the largest
// entry is another, and they vanish on products only.
func TestNoisyOREquations(t *testing.T) {
	net, s, _ := relapse(t)
	bounds, err := s.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	said := bounds[0].Smooth[0]
	if got, want := len(said.Equal), 48-(4+4+3-2); got != want {
		t.Errorf("%d equations, want %d", got, want)
	}
	rng := rand.New(rand.NewPCG(32, 0))
	f := make([]float64, len(said.Cells))
	for range 5 {
		for x := range f {
			f[x] = rng.Float64()
		}
		for _, e := range said.Equal {
			got, want := make([]float64, len(f)), make([]float64, len(f))
			e.Gradient(got, f)
			fd.Gradient(want, e.Value, f, &fd.Settings{Formula: fd.Central})
			near(t, "slopes", got, want, 1e-7)
		}
		if bounds[0].Violation(make([]float64, net.Layout().Len())) != 0 {
			t.Error("F = 0 everywhere is a product")
		}
	}
	one, err := constraint.NoisyOR{Child: "relapse",
		Sets: [][]string{{"age", "menopause", "size", "grade", "therapy"}}}.Bind(net)
	if err != nil || len(one) > 0 {
		t.Errorf("one set of all says %v, error %v", one, err)
	}
}
