package bn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func mustCPT(t testing.TB, child Variable, parents ...Variable) *CPT {
	t.Helper()
	table, err := NewCPT(child, parents...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestNewCPT(t *testing.T) {
	parents := []Variable{bronc, either}
	table := mustCPT(t, Discrete("x", "a", "b", "c"), parents...)
	if len(table.P) != 12 || table.Configs().Len() != 4 {
		t.Fatalf("%d entries in %d configurations, want 12 in 4", len(table.P), table.Configs().Len())
	}
	for i, p := range table.P {
		if p != 1.0/3 {
			t.Errorf("entry %d = %v, want 1/3", i, p)
		}
	}
	if err := table.Validate(); err != nil {
		t.Error(err)
	}
	parents[0] = Discrete("other", "x")
	if table.Parents[0].Name != "bronc" {
		t.Error("the table changed with the list of parents it was given")
	}
	if got := table.ConfigNames(1); !slices.Equal(got, []string{"no", "yes"}) {
		t.Errorf("ConfigNames(1) = %v, want [no yes]: the last parent varies fastest", got)
	}
	table.Row(2)[1] = 0.5
	if table.P[2*3+1] != 0.5 {
		t.Error("writing to Row(2) does not write to the table")
	}
	if row := table.Row(0); cap(row) != 3 {
		t.Errorf("appending to a row of capacity %d would write to the next", cap(row))
	}
}

func TestNewCPTErrors(t *testing.T) {
	binary := make([]Variable, 41)
	for i := range binary {
		binary[i] = Discrete(fmt.Sprint("p", i), "no", "yes")
	}
	if _, err := NewLinearGaussian(Continuous("x"), binary...); err == nil ||
		!strings.Contains(err.Error(), `(family of "x", parents "p0", "p1", `) ||
		!strings.HasSuffix(err.Error(), `"p19" and 21 more)`) {
		t.Errorf("a linear-Gaussian node with 41 binary parents: %v", err)
	}
	for _, c := range []struct {
		name    string
		child   Variable
		parents []Variable
		is      error
		message string
	}{
		{"continuous child", Continuous("x"), nil, ErrNotDiscrete, `bn: no table for "x": variable is continuous`},
		{"continuous parent", dysp, []Variable{Continuous("x")}, ErrNotDiscrete,
			`bn: the discrete variable "dysp" cannot have the parent "x": variable is continuous; discretise "x" first`},
		{"parent twice", dysp, []Variable{bronc, bronc}, ErrDuplicate,
			`bn: duplicate name: "bronc" occurs twice in the family of "dysp"`},
		{"own parent", dysp, []Variable{dysp}, ErrDuplicate, `"dysp" occurs twice in the family of "dysp"`},
		// Without a bound these would ask for 1 TB, or end the program.
		{"36 parents", dysp, binary[:36], nil,
			`at most 268435456 entries are possible; give the variable fewer parents (family of "dysp", parents "p0", "p1", `},
		{"41 parents", dysp, binary, nil, `bn: 41 discrete parents have more than 1099511627776 configurations; give ` +
			`the variable fewer parents (family of "dysp", parents "p0", "p1", `},
	} {
		if _, err := NewCPT(c.child, c.parents...); err == nil || !strings.Contains(err.Error(), c.message) ||
			c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want one with %q that wraps %v", c.name, err, c.message, c.is)
		}
	}
}

func TestConfig(t *testing.T) {
	table := mustCPT(t, dysp, bronc, Discrete("size", "s", "m", "l"))
	for config := range table.Configs().Len() {
		names := table.ConfigNames(config)
		got, err := table.Config(Given{"bronc": names[0], "size": names[1]})
		if err != nil || got != config {
			t.Errorf("Config(%v) = %d, %v, want %d", names, got, err, config)
		}
	}
	for _, c := range []struct {
		name    string
		given   Given
		is      error
		message string
	}{
		{"nothing", nil, nil, `bn: no state is given for the parent "bronc" of "dysp" (given: )`},
		{"one missing", Given{"bronc": "no"}, nil,
			`bn: no state is given for the parent "size" of "dysp" (given: bronc=no)`},
		{"unknown state", Given{"bronc": "no", "size": "xl"}, ErrUnknownState,
			`bn: unknown state "xl" of "size" (states: s, m, l)`},
		{"one too many", Given{"bronc": "no", "size": "s", "asia": "no"}, ErrUnknownVariable,
			`bn: unknown variable "asia" among the parents of "dysp"`},
	} {
		if _, err := table.Config(c.given); err == nil || err.Error() != c.message || c.is != nil &&
			!errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.message)
		}
	}
	if config, err := mustCPT(t, dysp).Config(nil); config != 0 || err != nil {
		t.Errorf("a root: Config(nil) = %d, %v, want 0", config, err)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*CPT)
		message string // empty when valid
	}{
		{"uniform", func(*CPT) {}, ""},
		{"rounded to seven digits", func(x *CPT) { copy(x.Row(1), []float64{0.3333333, 0.6666666}) }, ""},
		{"sum", func(x *CPT) { x.Row(2)[0] = 0.6 },
			`bn: the probabilities of "dysp" given bronc=yes, either=no sum to 1.1, not 1`},
		{"sum just outside", func(x *CPT) { x.Row(2)[0] = 0.500002 }, `sum to 1.00000199`},
		{"above 1", func(x *CPT) { copy(x.Row(3), []float64{1.5, -0.5}) },
			`bn: P(dysp=no | bronc=yes, either=yes) = 1.5 is not a probability`},
		{"below 0", func(x *CPT) { copy(x.Row(3), []float64{-0.5, 1.5}) },
			`bn: P(dysp=no | bronc=yes, either=yes) = -0.5 is not a probability`},
		{"NaN", func(x *CPT) { x.Row(0)[1] = math.NaN() },
			`bn: P(dysp=yes | bronc=no, either=no) = NaN is not a probability`},
		{"infinite", func(x *CPT) { x.Row(0)[1] = math.Inf(1) }, `= +Inf is not a probability`},
		{"entries missing", func(x *CPT) { x.P = x.P[:7] },
			`bn: the table of "dysp" has 7 entries, 4 configurations of 2 states need 8`},
		{"parent added", func(x *CPT) { x.Parents = append(x.Parents, Discrete("z", "a", "b")) },
			`make it with NewCPT`},
		{"parent changed", func(x *CPT) { x.Parents[1] = Discrete("z", "a", "b", "c") }, `make it with NewCPT`},
		{"struct literal", func(x *CPT) { *x = CPT{Child: dysp, Parents: []Variable{bronc}, P: []float64{1, 0}} },
			`make it with NewCPT`},
		{"zero value", func(x *CPT) { *x = CPT{} }, `has 0 entries`},
		{"struct literal of a root", func(x *CPT) { *x = CPT{Child: dysp, P: []float64{1, 0}} }, ""},
		{"root", func(x *CPT) { *x = CPT{Child: dysp, P: []float64{1, 0.5}} },
			`bn: the probabilities of "dysp" sum to 1.5, not 1`},
		{"root, below 0", func(x *CPT) { *x = CPT{Child: dysp, P: []float64{-1, 2}} },
			`bn: P(dysp=no) = -1 is not a probability`},
	} {
		table := mustCPT(t, dysp, bronc, either)
		c.change(table)
		err := table.Validate()
		if (err == nil) != (c.message == "") || err != nil && !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.message)
		}
	}
}

func TestEqualAndClone(t *testing.T) {
	table := mustCPT(t, dysp, bronc)
	clone := table.Clone()
	if !table.Equal(clone) {
		t.Error("a table differs from its clone")
	}
	clone.P[0], clone.P[1] = 0.4, 0.6
	if table.P[0] != 0.5 || table.Equal(clone) {
		t.Errorf("after a change to the clone the table holds %v, and equals it: %v", table.P, table.Equal(clone))
	}
	for name, other := range map[string]*CPT{
		"other child":         mustCPT(t, bronc, dysp),
		"no parent":           mustCPT(t, dysp),
		"other parent":        mustCPT(t, dysp, either),
		"states in new order": mustCPT(t, Discrete("dysp", "yes", "no"), bronc),
	} {
		if table.Equal(other) {
			t.Errorf("%s: equal", name)
		}
	}
}
