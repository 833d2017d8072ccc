package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
)

// A dialect writes networks in the manner of one tool: its order of numbers, its spelling, its rounding. Each was
// written from the tool's documentation, or from what its source or its files show; none shares code with the readers.
type dialect struct {
	tool, extension string
	// digits are decimals after the point that the tool prints, 0 for all; significant ones when negative.
	digits int
	names  bool // whether the format has names
	write  func(b *strings.Builder, n *bn.Network, number func(float64) string)
}

// number prints as a tool of so many digits does.
func (d dialect) number(x float64) string {
	switch {
	case d.digits > 0:
		return strconv.FormatFloat(x, 'f', d.digits, 64)
	case d.digits < 0:
		return strconv.FormatFloat(x, 'g', -d.digits, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// off is how far a number of a row may come back from what it was: the rounding of its own and of the others' digits.
func (d dialect) off(states int) float64 {
	switch {
	case d.digits > 0:
		return float64(states+1) * math.Pow10(-d.digits)
	case d.digits < 0:
		return float64(states+1) * math.Pow10(d.digits)
	}
	return 1e-15
}

// corpusNetworks are those that each tool writes: one variable, chains, colliders with different numbers of states,
// many states, whose rows do not sum to 1 in few digits, rows of 0 and 1.
func corpusNetworks(t testing.TB) map[string]*bn.Network {
	t.Helper()
	shapes := map[string]struct {
		graph string
		cards []int
	}{
		"one":      {"[A]", []int{2}},
		"thirds":   {"[A][B|A]", []int{3, 6}},
		"chain":    {"[A][B|A][C|B]", []int{2, 3, 4}},
		"collider": {"[A][B][C|A:B]", []int{2, 3, 4}},
		"swapped":  {"[A][B][C|B:A]", []int{3, 2, 2}},
		"three":    {"[A][B][C][D|C:A:B]", []int{2, 3, 4, 3}},
		"child":    {"[D|A:B][A|C][B|A][C]", []int{3, 2, 3, 2}},
		"many":     {"[A][B|A]", []int{2, 21}},
		"more":     {"[A][B|A]", []int{30, 2}},
		"deep":     {"[A][B|A][C|A:B][D|B:C][E|D:A]", []int{2, 2, 3, 2, 3}},
	}
	networks := make(map[string]*bn.Network, len(shapes))
	random := rand.New(rand.NewPCG(35, 1))
	for name, shape := range shapes {
		vars := make([]bn.Variable, len(shape.cards))
		for v, r := range shape.cards {
			states := make([]string, r)
			for s := range states {
				states[s] = fmt.Sprintf("s%d", s)
			}
			vars[v] = bn.Discrete(string(rune('A'+v)), states...)
		}
		n, err := bn.New(shape.graph, vars...)
		if err != nil {
			t.Fatal(err)
		}
		for v := range n.Len() {
			t := n.CPT(v)
			for config := range t.Configs().Len() {
				row, sum := t.Row(config), 0.0
				for i := range row {
					row[i] = random.Float64()
					if config%5 == 3 {
						row[i] = 0
					}
				}
				row[config%len(row)] += 0.5
				for _, x := range row {
					sum += x
				}
				for i := range row {
					row[i] /= sum
					if name == "thirds" || name == "many" || name == "more" {
						row[i] = 1 / float64(len(row))
					}
				}
			}
		}
		networks[name] = n
	}
	return networks
}

// TestCorpus writes networks in the manner of each tool, and reads each file as that tool meant it: the same variables,
// states and probabilities, the latter as far as the tool's digits tell, in rows that sum to 1.
func TestCorpus(t *testing.T) {
	files := 0
	for _, d := range dialects() {
		for name, n := range corpusNetworks(t) {
			var b strings.Builder
			d.write(&b, n, d.number)
			path := filepath.Join(t.TempDir(), name+d.extension)
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			files++
			f, err := format.Read(path)
			if err != nil {
				t.Errorf("%s, network %s: %v\n%s", d.tool, name, err, b.String()[:min(b.Len(), 1500)])
				continue
			}
			if fault := d.compare(n, f.Network); fault != "" {
				t.Errorf("%s, network %s: %s\n%s", d.tool, name, fault, b.String()[:min(b.Len(), 1500)])
			}
		}
	}
	if files < 200 {
		t.Errorf("%d files, want 200", files)
	}
}

// compare says where a network differs from the one that was written, by names and whatever the order of parents.
func (d dialect) compare(want, got *bn.Network) string {
	if got.Len() != want.Len() {
		return fmt.Sprintf("%d variables, want %d", got.Len(), want.Len())
	}
	rename := func(v int) string { return want.Variable(v).Name }
	state := func(_ int, name string) string { return name }
	if !d.names {
		rename = func(v int) string { return "x" + strconv.Itoa(v) }
		state = func(_ int, name string) string { return name[1:] }
	}
	for v := range want.Len() {
		t := want.CPT(v)
		u, err := got.Table(rename(v))
		if err != nil {
			return err.Error()
		}
		if len(u.Parents) != len(t.Parents) || u.Child.Cardinality() != t.Child.Cardinality() {
			return fmt.Sprintf("%s given %v is %s given %v", t.Child, t.Parents, u.Child, u.Parents)
		}
		for config := range t.Configs().Len() {
			given := bn.Given{}
			for i, s := range t.ConfigNames(config) {
				p := want.DAG().Parents(v)[i]
				given[rename(p)] = state(p, s)
			}
			c, err := u.Config(given)
			if err != nil {
				return err.Error()
			}
			sum := 0.0
			for s, x := range t.Row(config) {
				if name := state(v, t.Child.States[s]); u.Child.States[s] != name {
					return fmt.Sprintf("state %d of %s is %q, want %q", s, t.Child.Name, u.Child.States[s], name)
				}
				y := u.Row(c)[s]
				if sum += y; math.Abs(x-y) > d.off(len(t.Row(config))) {
					return fmt.Sprintf("P(%s=%s | %v) is %v, want %v", t.Child.Name, t.Child.States[s], given, y, x)
				}
			}
			if math.Abs(sum-1) > 1e-6 {
				return fmt.Sprintf("the row of %s given %v sums to %v", t.Child.Name, given, sum)
			}
		}
	}
	return ""
}
