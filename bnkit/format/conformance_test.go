package format_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/infer"
	"bnlab/internal/datatest"
)

// difference says where two networks differ, variables being matched by name; "" when they
// are the same.
func difference(a, b *bn.Network) string {
	if a.Len() != b.Len() {
		return fmt.Sprintf("%d and %d variables", a.Len(), b.Len())
	}
	for v := range a.Len() {
		name := a.Variable(v).Name
		w, err := b.Index(name)
		if err != nil {
			return err.Error()
		}
		if !a.Variable(v).Equal(b.Variable(w)) {
			return fmt.Sprintf("variable %d: %v and %v", v, a.Variable(v), b.Variable(w))
		}
		if p, q := parents(a, v), parents(b, w); !slices.Equal(p, q) {
			return fmt.Sprintf("parents of %s: %v and %v", name, p, q)
		}
		if t := a.CPT(v); t != nil && !t.Equal(b.CPT(w)) {
			return fmt.Sprintf("tables of %s:\n%v\n%v", name, t, b.CPT(w))
		}
		if g := a.Gaussian(v); g != nil {
			h := b.Gaussian(w)
			for config := range g.Intercept {
				if g.Intercept[config] != h.Intercept[config] || !slices.Equal(g.Weights[config], h.Weights[config]) ||
					math.Abs(g.Variance[config]-h.Variance[config]) > 1e-15*g.Variance[config] {
					return fmt.Sprintf("distributions of %s:\n%v\n%v", name, g, h)
				}
			}
		}
	}
	return ""
}

func parents(n *bn.Network, v int) []string {
	var out []string
	for _, p := range n.DAG().Parents(v) {
		out = append(out, n.Variable(p).Name)
	}
	return out
}

// through writes the file in a format and reads it again.
func through(t testing.TB, form format.Format, f *format.File) (*format.File, []string) {
	t.Helper()
	var b bytes.Buffer
	lost, err := form.Write(&b, f)
	if err != nil {
		t.Fatalf("%s: %v", form.Name, err)
	}
	again, err := form.Parse(b.Bytes())
	if err != nil {
		t.Fatalf("%s: %v\n%s", form.Name, err, b.String()[:min(b.Len(), 2000)])
	}
	return again, lost
}

func setTables(t testing.TB, n *bn.Network, tables map[string]string) *bn.Network {
	t.Helper()
	for name, text := range tables {
		if err := n.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// small are networks that show each order of a table and each kind of name.
func small(t testing.TB) map[string]*bn.Network {
	t.Helper()
	asymmetric, err := bn.New("[x|a:b][a][b]", bn.Discrete("x", "p", "q", "r"), bn.Discrete("a", "no", "yes"),
		bn.Discrete("b", "one", "two", "three"))
	if err != nil {
		t.Fatal(err)
	}
	setTables(t, asymmetric, map[string]string{
		"a": "no yes\n 0.3 0.7",
		"b": "one two three\n 0.2 0.35 0.45",
		"x": `a   b     | p    q    r
		      no  one   | 0.1  0.2  0.7
		      no  two   | 0.15 0.8  0.05
		      no  three | 0.01 0.02 0.97
		      yes one   | 0.5  0.25 0.25
		      yes two   | 0.6  0.3  0.1
		      yes three | 0    1    0`,
	})
	g, err := bn.NewDAG([]string{"two words", "5-12", "größer", "u-5", "_x", "a_u0020_b",
		"a_very_long_name_that_no_tool_takes", "a_very_long_name_that_no_tool_took", "über allem steht ein langer Name",
		"node", "class"},
		[][]int{nil, {0}, {1, 0}, {2}, {3}, {4}, {5}, {6, 5}, {7}, {8}, {9}})
	if err != nil {
		t.Fatal(err)
	}
	vars := make([]bn.Variable, g.Len())
	for v := range vars {
		vars[v] = bn.Discrete(g.Name(v), "<5", "a b", ` "'\&<>]]>`, "states with a very long name indeed 1",
			"states with a very long name indeed 2", "tab\tline\n")
	}
	names, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	fill(names)
	return map[string]*bn.Network{"asymmetric": asymmetric, "names": names}
}

// fill gives each table rows of its own that sum to 1 up to rounding.
func fill(n *bn.Network) {
	x := 0.5
	for v := range n.Len() {
		t := n.CPT(v)
		for config := range t.Configs().Len() {
			row := t.Row(config)
			sum := 0.0
			for i := range row {
				x = 3.9 * x * (1 - x) // the logistic map stands in for chance
				row[i] = x
				sum += x
			}
			for i := range row {
				row[i] /= sum
			}
		}
	}
}

// TestConformance takes each network through each format, and then through all in turn.
func TestConformance(t *testing.T) {
	nets := small(t)
	if os.Getenv("BNLAB_DATA") != "" {
		files, err := filepath.Glob(filepath.Join(datatest.Path(t, "networks"), "*.bif"))
		if err != nil || len(files) < 16 {
			t.Fatalf("%d networks, want 16 (%v)", len(files), err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && info.Size() > 200_000 && testing.Short() {
				continue
			}
			n, err := bif.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			nets[strings.TrimSuffix(filepath.Base(file), ".bif")] = n
		}
	}
	for name, n := range nets {
		t.Run(name, func(t *testing.T) {
			chain := &format.File{Network: n}
			for _, form := range format.Formats() {
				if form.Name == "BIF" && name == "names" {
					continue // BIF cannot hold a double quote
				}
				f, lost := through(t, form, &format.File{Network: n})
				if d := difference(n, f.Network); d != "" {
					t.Errorf("%s: %s", form.Name, d)
				}
				if len(f.Lost) > 0 {
					t.Errorf("%s: of its own file it did not read: %v", form.Name, f.Lost)
				}
				ordered := slices.EqualFunc(n.Variables(), f.Network.Variables(), bn.Variable.Equal)
				if !ordered && !slices.ContainsFunc(lost,
					func(s string) bool { return strings.Contains(s, "another order") }) {
					t.Errorf("%s: variables changed their order without a word: %v", form.Name, lost)
				}
				chain, _ = through(t, form, chain)
			}
			if d := difference(n, chain.Network); d != "" {
				t.Errorf("through all formats in turn: %s", d)
			}
			samePosteriors(t, n, chain.Network)
		})
	}
}

// wide are networks whose posteriors take seconds; they are compared once, and not in short tests.
var wide = []string{"barley", "link", "munin1", "pigs", "water"}

// samePosteriors compares posteriors of all variables, without evidence and given the last
// state of the last variable that no other depends on.
func samePosteriors(t *testing.T, a, b *bn.Network) {
	t.Helper()
	isWide := slices.Contains(wide, filepath.Base(t.Name()))
	if isWide && testing.Short() {
		return
	}
	var given infer.Evidence
	for v := range a.Len() {
		if len(a.DAG().Children(v)) == 0 {
			states := a.Variable(v).States
			given = infer.Evidence{a.Variable(v).Name: states[len(states)-1]}
		}
	}
	for _, evidence := range []infer.Evidence{given, nil} {
		if isWide && evidence == nil {
			return
		}
		p, err := marginals(a, evidence)
		if err != nil {
			t.Logf("posteriors not compared: %v", err)
			return
		}
		q, err := marginals(b, evidence)
		if err != nil {
			t.Fatal(err)
		}
		for v := range a.Len() {
			name := a.Variable(v).Name
			for s, x := range p.Of(name) {
				if y := q.Of(name)[s]; !(math.Abs(x-y) <= 1e-12) {
					t.Fatalf("P(%s=%s | %v) is %v and %v", name, a.Variable(v).States[s], evidence, x, y)
				}
			}
		}
	}
}

func marginals(n *bn.Network, evidence infer.Evidence) (*infer.Posteriors, error) {
	e, err := infer.New(n, nil)
	if err != nil {
		return nil, err
	}
	return e.Marginals(evidence)
}

// BenchmarkParse reads networks of the repository in each format.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"barley", "link", "munin1", "pigs"} {
		n, err := bif.ReadFile(datatest.Path(b, "networks/"+name+".bif"))
		if err != nil {
			b.Fatal(err)
		}
		for _, form := range format.Formats() {
			b.Run(name+"/"+form.Extensions[0][1:], func(b *testing.B) {
				var src bytes.Buffer
				if _, err := form.Write(&src, &format.File{Network: n}); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(src.Len()))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := form.Parse(src.Bytes()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
