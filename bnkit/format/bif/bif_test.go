package bif

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/internal/datatest"
)

// difference says where two networks differ, "" when they are the same.
func difference(a, b *bn.Network) string {
	if a.Len() != b.Len() {
		return fmt.Sprintf("%d and %d variables", a.Len(), b.Len())
	}
	for v := range a.Len() {
		if !a.Variable(v).Equal(b.Variable(v)) {
			return fmt.Sprintf("variable %d: %v and %v", v, a.Variable(v), b.Variable(v))
		}
		if !slices.Equal(a.DAG().Parents(v), b.DAG().Parents(v)) {
			return fmt.Sprintf("parents of %s: %v and %v", a.Variable(v).Name, a.DAG().Parents(v), b.DAG().Parents(v))
		}
		if !a.CPT(v).Equal(b.CPT(v)) {
			return fmt.Sprintf("tables of %s:\n%v\n%v", a.Variable(v).Name, a.CPT(v), b.CPT(v))
		}
	}
	return ""
}

// TestRepository reads the networks of the bnlearn repository. Nodes, arcs and
// parameters are those its web page states (https://www.bnlearn.com/bnrepository/).
func TestRepository(t *testing.T) {
	dir := datatest.Path(t, "networks")
	for _, want := range []struct {
		name                    string
		nodes, arcs, parameters int
	}{
		{"asia", 8, 8, 18},
		{"cancer", 5, 4, 10},
		{"earthquake", 5, 4, 10},
		{"sachs", 11, 17, 178},
		{"survey", 6, 6, 21},
		{"alarm", 37, 46, 509},
		{"barley", 48, 84, 114005},
		{"child", 20, 25, 230},
		{"insurance", 27, 52, 1008},
		{"water", 32, 66, 10083},
		{"hailfinder", 56, 66, 2656},
		{"hepar2", 70, 123, 1453},
		{"win95pts", 76, 112, 574},
		{"link", 724, 1125, 14211},
		{"munin1", 186, 273, 15622},
		{"pigs", 441, 592, 5618},
	} {
		t.Run(want.name, func(t *testing.T) {
			n, err := ReadFile(filepath.Join(dir, want.name+".bif"))
			if err != nil {
				t.Fatal(err)
			}
			if n.Len() != want.nodes || n.DAG().Arcs() != want.arcs || n.FreeParameters() != want.parameters {
				t.Errorf("%d nodes, %d arcs, %d parameters, want %d, %d, %d", n.Len(), n.DAG().Arcs(),
					n.FreeParameters(), want.nodes, want.arcs, want.parameters)
			}
			if err := n.Validate(); err != nil {
				t.Error(err)
			}
			var b bytes.Buffer
			if err := Write(&b, n); err != nil {
				t.Fatal(err)
			}
			again, err := parseNetwork(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(n, again); d != "" {
				t.Errorf("read, written and read again, the network differs: %s", d)
			}
		})
	}
}

func readRepository(b *testing.B, name string) []byte {
	src, err := os.ReadFile(datatest.Path(b, "networks/"+name))
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func benchmarkParse(b *testing.B, src []byte) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseNetwork(src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse reads barley (2.0 MB, 114,005 parameters), as it is and twenty
// times over with renamed variables (40 MB).
func BenchmarkParse(b *testing.B) {
	b.Run("barley", func(b *testing.B) { benchmarkParse(b, readRepository(b, "barley.bif")) })
	b.Run("barley20", func(b *testing.B) {
		src := readRepository(b, "barley.bif")
		n, err := parseNetwork(src)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkParse(b, repeat(src, n, 20))
	})
	b.Run("alarm", func(b *testing.B) { benchmarkParse(b, readRepository(b, "alarm.bif")) })
}

// repeat returns the text of a network k times, the variables of each copy renamed
// by a suffix. It relies on the layout of bnlearn's files.
func repeat(src []byte, n *bn.Network, k int) []byte {
	isName := make(map[string]bool)
	for _, v := range n.Variables() {
		isName[v.Name] = true
	}
	var out bytes.Buffer
	for copy := range k {
		for line := range strings.Lines(string(src)) {
			if strings.HasPrefix(line, "variable ") || strings.HasPrefix(line, "probability ") {
				words := strings.Fields(line)
				for i, w := range words {
					if name := strings.TrimSuffix(w, ","); i > 0 && isName[name] {
						words[i] = fmt.Sprintf("%s_%d%s", name, copy, w[len(name):])
					}
				}
				line = strings.Join(words, " ") + "\n"
			}
			if copy > 0 && strings.HasPrefix(line, "network") {
				line = "/* copy\n"
			} else if copy > 0 && line == "}\n" && bytes.HasSuffix(out.Bytes(), []byte("/* copy\n")) {
				line = "*/\n"
			}
			out.WriteString(line)
		}
	}
	return out.Bytes()
}
