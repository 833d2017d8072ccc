package bn

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestVariable(t *testing.T) {
	d, c := Discrete("rain", "no", "yes"), Continuous("height")
	if !d.IsDiscrete() || d.Cardinality() != 2 || d.String() != "rain {no, yes}" {
		t.Errorf("%v: discrete %v, %d states", d, d.IsDiscrete(), d.Cardinality())
	}
	if c.IsDiscrete() || c.Cardinality() != 0 || c.String() != "height (continuous)" {
		t.Errorf("%v: discrete %v, %d states", c, c.IsDiscrete(), c.Cardinality())
	}
	if i, err := d.StateIndex("yes"); i != 1 || err != nil {
		t.Errorf("StateIndex(yes) = %d, %v, want 1", i, err)
	}
	grade := Discrete("grade", "0", "1", "1.50", "x", "1e1")
	for text, want := range map[string]int{"0.0": 0, "01": 1, "1.5": 2, "10": 4, "-0": 0} { // equal numbers
		if i, err := grade.StateIndex(text); i != want || err != nil {
			t.Errorf("StateIndex(%s) = %d, %v, want %d", text, i, err, want)
		}
	}
	for _, text := range []string{"2", "0x1", "Inf", "", "1_0"} {
		if i, err := grade.StateIndex(text); !errors.Is(err, ErrUnknownState) {
			t.Errorf("StateIndex(%s) = %d, %v", text, i, err)
		}
	}
	if i, err := Discrete("x", "1", "1.0").StateIndex("1.00"); err == nil { // there are two
		t.Errorf("StateIndex(1.00) = %d", i)
	}
	_, err := d.StateIndex("Yes")
	if want := `bn: unknown state "Yes" of "rain" (states: no, yes)`; !errors.Is(err, ErrUnknownState) ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := c.StateIndex("yes"); !errors.Is(err, ErrNotDiscrete) {
		t.Errorf("error %v, want one that wraps %v", err, ErrNotDiscrete)
	}
	for _, e := range []struct {
		name string
		v    Variable
		want bool
	}{
		{"same", Discrete("rain", "no", "yes"), true},
		{"other name", Discrete("Rain", "no", "yes"), false},
		{"other order", Discrete("rain", "yes", "no"), false},
		{"fewer states", Discrete("rain", "no"), false},
		{"continuous", Continuous("rain"), false},
	} {
		if got := d.Equal(e.v); got != e.want {
			t.Errorf("%s: %v.Equal(%v) = %v, want %v", e.name, d, e.v, got, e.want)
		}
	}
	if Discrete("x").Equal(Continuous("x")) {
		t.Error("a discrete variable without states equals a continuous one")
	}
}

func TestVariableErrors(t *testing.T) {
	many := make([]string, MaxStates+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, c := range []struct {
		name    string
		v       Variable
		is      error
		message string
	}{
		{"no name", Discrete("", "a"), nil, "bn: a variable has no name"},
		{"no states", Discrete("x"), nil, `bn: discrete variable "x" has no states`},
		{"empty state", Discrete("x", "a", ""), nil, `bn: state 2 of variable "x" has no name`},
		{"state twice", Discrete("x", "a", "b", "a"), ErrDuplicate,
			`bn: duplicate name: variable "x" has the state "a" twice`},
		{"too many states", Discrete("x", many...), nil,
			`bn: variable "x" has 65536 states, at most 65535 are possible`},
	} {
		for where, err := range map[string]error{
			"child":  func() error { _, err := NewCPT(c.v); return err }(),
			"parent": func() error { _, err := NewCPT(Discrete("child", "a"), c.v); return err }(),
		} {
			if err == nil || err.Error() != c.message || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%s as %s: error %v, want %s", c.name, where, err, c.message)
			}
		}
	}
	if _, err := NewCPT(Discrete("x", many[:MaxStates]...)); err != nil {
		t.Errorf("%d states: %v", MaxStates, err)
	}
}

func TestStateIndexOfMany(t *testing.T) {
	states := make([]string, 1000)
	for i := range states {
		states[i] = fmt.Sprint("s", i)
	}
	_, err := Discrete("x", states...).StateIndex("t")
	if len(err.Error()) > 300 || !strings.Contains(err.Error(), "s19 and 980 more") {
		t.Errorf("the error has %d bytes: %v", len(err.Error()), err)
	}
}

func TestGiven(t *testing.T) {
	for want, g := range map[string]Given{"": nil, "asia=no, smoke=yes": {"smoke": "yes", "asia": "no"}} {
		if got := g.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
