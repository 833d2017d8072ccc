package knowledge_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// canDoubt says, apart from the package, of which statements of everyClass a density gives a probability.
func canDoubt(s constraint.Constraint) bool {
	switch s := s.(type) {
	case constraint.OrderSums, constraint.AtMost, constraint.AtLeast, constraint.Between, constraint.Influence,
		constraint.Synergy:
		return true
	case constraint.LinearSum:
		return s.Relation == constraint.NoMore || s.Relation == constraint.NoLess
	}
	return false
}

// TestStrengths reads numbers and each word of the scale, on a statement of each class that can be doubted, and
// writes them as they stood.
func TestStrengths(t *testing.T) {
	for text, want := range map[string]float64{"certain": 1, "nearly certain": 0.95, "likely": 0.8, "a guess": 0.5,
		"0.35": 0.35, "1e-3": 0.001, "0.8": 0.8, "1": 1} {
		for i, s := range everyClass() {
			b, err := (&knowledge.File{Entries: entries(s)}).Marshal()
			if err != nil {
				t.Fatal(err)
			}
			file := string(b) + "    strength: " + text + "\n"
			k, err := knowledge.Parse("k.yaml", []byte(file))
			if !canDoubt(s) && want < 1 {
				if err == nil || !strings.Contains(err.Error(), "a strength below 1 is for inequalities") {
					t.Errorf("%s of statement %d, %q: %v, want an error that says why not", text, i+1, s, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if got := k.Entries[0].Strength; got != want {
				t.Errorf("%s is read as %v, want %v", text, got, want)
			}
			back, err := k.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			again, err := knowledge.Parse("k.yaml", back)
			if err != nil || again.Entries[0].Strength != want {
				t.Errorf("%s: written and read again %v, error %v", text, again, err)
			}
		}
	}
}

// TestDefaultStrengths: without a strength an inequality is likely, and what cannot be doubted certain.
func TestDefaultStrengths(t *testing.T) {
	k := &knowledge.File{Entries: entries(everyClass()...)}
	for i, p := range k.Strengths() {
		if want := map[bool]float64{true: 0.8, false: 1}[canDoubt(k.Entries[i].Statement)]; p != want {
			t.Errorf("%q has strength %v, want %v", k.Entries[i].Statement, p, want)
		}
	}
	k.Entries[15].Strength = 0.3
	if got := k.Strengths()[15:17]; !slices.Equal(got, []float64{0.3, 0.8}) {
		t.Errorf("strengths %v, want 0.3 as given and 0.8", got)
	}
}

// TestStrengthErrors name the scale, or the reason.
func TestStrengthErrors(t *testing.T) {
	const influence = "statements:\n- influence: {parent: a, child: b, sign: positive}\n  strength: "
	const scale = "or a word: certain (1), nearly certain (0.95), likely (0.8), a guess (0.5)"
	for text, want := range map[string]string{
		"strong": `line 3, column 13, statement 1: "strength" is "strong"; give a probability above 0, as in 0.7, ` + scale,
		"0":      scale, "1.01": scale, "-0.5": scale, ".nan": scale, "80%": scale,
		"[a]": `"strength" is a list`,
	} {
		_, err := knowledge.Parse("k.yaml", []byte(influence+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	_, err := knowledge.Parse("k.yaml", []byte("statements:\n- share-tables: {of: [a, b]}\n  strength: likely\n"))
	if err == nil || !strings.Contains(err.Error(), "line 3, column 13, statement 1: a strength below 1") ||
		!strings.Contains(err.Error(), "an equality, which holds with probability 0") {
		t.Errorf("an equality: %v, want the place and the reason", err)
	}
	for _, p := range []float64{-0.1, 1.5, math.NaN()} {
		k := &knowledge.File{Entries: []knowledge.Entry{{Statement: everyClass()[15], Strength: p}}}
		if _, err := k.Marshal(); err == nil || !strings.Contains(err.Error(), "give a probability") {
			t.Errorf("a strength of %v is written: %v", p, err)
		}
	}
}
