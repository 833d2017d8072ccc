package bif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bnlab/bnkit/bn"
	"bnlab/internal/textpos"
)

func TestWrite(t *testing.T) {
	n, err := bn.New("[a][b|c:a][c]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "one", "two words"),
		bn.Discrete("c", "<5", "5-12", "12+"))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.SetTable("c", "<5 5-12 12+\n 0.1 0.00001 0.89999"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, n); err != nil {
		t.Fatal(err)
	}
	want := `network unknown {
}
variable a {
  type discrete [ 2 ] { no, yes };
}
variable b {
  type discrete [ 2 ] { one, "two words" };
}
variable c {
  type discrete [ 3 ] { <5, 5-12, 12+ };
}
probability ( a ) {
  table 0.5, 0.5;
}
probability ( b | c, a ) {
  (<5, no) 0.5, 0.5;
  (5-12, no) 0.5, 0.5;
  (12+, no) 0.5, 0.5;
  (<5, yes) 0.5, 0.5;
  (5-12, yes) 0.5, 0.5;
  (12+, yes) 0.5, 0.5;
}
probability ( c ) {
  table 0.1, 1e-05, 0.89999;
}
`
	if b.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", b.String(), want)
	}
}

// TestWriteReadsBack draws networks with odd names and full-length numbers.
func TestWriteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune("ab<5-+é*#/ \t\n,;|{}()[]='\\\x00\u00a0"))).Filter(
			func(s string) bool { return s != "" })
		names := rapid.SliceOfNDistinct(name, 1, 6, rapid.ID[string]).Draw(t, "names")
		vars := make([]bn.Variable, len(names))
		parents := make([][]int, len(names))
		order := rapid.Permutation(indices(len(names))).Draw(t, "order")
		for i, v := range order {
			vars[v] = bn.Discrete(names[v], rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "states")...)
			for _, p := range rapid.Permutation(order[:i]).Draw(t, "parents") {
				if rapid.Bool().Draw(t, "arc") {
					parents[v] = append(parents[v], p)
				}
			}
		}
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			t.Fatal(err)
		}
		n, err := bn.NewNetwork(g, vars)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for v := range n.Len() {
			randomise(rng, n.CPT(v))
		}
		var b bytes.Buffer
		if err := Write(&b, n); err != nil {
			t.Fatal(err)
		}
		again, err := parseNetwork(b.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if d := difference(n, again); d != "" {
			t.Fatalf("%s\n%s", d, b.String())
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// randomise fills a table with rows that sum to 1 up to rounding.
func randomise(rng *rand.Rand, t *bn.CPT) {
	for config := range t.Configs().Len() {
		row := t.Row(config)
		sum := 0.0
		for i := range row {
			row[i] = rng.ExpFloat64()
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
}

func TestWriteErrors(t *testing.T) {
	network := func(model string, vars ...bn.Variable) *bn.Network {
		n, err := bn.New(model, vars...)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	broken := network("[a]", bn.Discrete("a", "no", "yes"))
	broken.CPT(0).P[0] = 0.6
	for _, c := range []struct {
		name    string
		n       *bn.Network
		is      error
		message string
	}{
		{"continuous", network("[x][y]", bn.Discrete("x", "a"), bn.Continuous("y")), bn.ErrNotDiscrete,
			`bif: "y": variable is continuous; BIF has tables only, so discretise it first`},
		{"quote in a name", network(`[5"]`, bn.Discrete(`5"`, "a")), nil,
			`contains a double quote, which BIF cannot write; rename it`},
		{"quote in a state", network("[x]", bn.Discrete("x", `a "b"`)), nil,
			`variable "x": the name "a \"b\"" contains a double quote`},
		{"broken row", broken, nil, "sum to 1.1, not 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			err := Write(&b, c.n)
			if err == nil || !strings.Contains(err.Error(), c.message) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v, want %q wrapping %v", err, c.message, c.is)
			}
			if b.Len() > 0 {
				t.Errorf("%d bytes were written", b.Len())
			}
		})
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestWriteFullDisk(t *testing.T) {
	n := synthetic(t, 20)
	if err := Write(&fullDisk{1 << 17}, n); !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "bif: ") {
		t.Errorf("error %v, want one that wraps %v", err, errFull)
	}
	if err := Write(io.Discard, n); err != nil {
		t.Error(err)
	}
}

func TestReadErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.bif")
	if _, err := ReadFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one that wraps %v", err, os.ErrNotExist)
	}
	if err := os.WriteFile(path, []byte("network unknown {\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(path)
	var e *textpos.Error
	if !errors.As(err, &e) || e.File != path || e.Line != 2 || e.Column != 1 {
		t.Errorf("error %#v, want a textpos.Error of %s, line 2, column 1", err, path)
	}
	want := fmt.Sprintf("bif: %s, line 2, column 1: the file ends where } should stand; it may have been cut short: "+
		"unexpected EOF", path)
	if err.Error() != want {
		t.Errorf("%v\nwant\n%v", err, want)
	}
	if _, _, err := Read(io.MultiReader(strings.NewReader("network"), brokenReader{})); !errors.Is(err, errFull) {
		t.Errorf("error %v, want one that wraps %v", err, errFull)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errFull }

// synthetic returns a network of n variables of six states, each with up to three
// parents, whose numbers have eight digits as those of the repository: about 17 kB of
// text a variable.
func synthetic(t testing.TB, n int) *bn.Network {
	t.Helper()
	names, vars, parents := make([]string, n), make([]bn.Variable, n), make([][]int, n)
	for v := range n {
		names[v] = fmt.Sprintf("variable_%d", v)
		vars[v] = bn.Discrete(names[v], "x_25", "x25_40", "x41_50", "x51_60", "x61_70", "x_70")
		for p := max(0, v-3); p < v; p++ {
			parents[v] = append(parents[v], p)
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for v := range n {
		table := net.CPT(v)
		for config := range table.Configs().Len() {
			left := 100_000_000
			for state := range 5 {
				x := rng.IntN(left/2 + 1)
				table.Row(config)[state] = float64(x) / 1e8
				left -= x
			}
			table.Row(config)[5] = float64(left) / 1e8
		}
	}
	return net
}

// BenchmarkSynthetic reads and writes a generated network of about 2 MB.
func BenchmarkSynthetic(b *testing.B) {
	n := synthetic(b, 110)
	var text bytes.Buffer
	if err := Write(&text, n); err != nil {
		b.Fatal(err)
	}
	b.Run("Parse", func(b *testing.B) { benchmarkParse(b, text.Bytes()) })
	b.Run("Write", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		b.ReportAllocs()
		for b.Loop() {
			if err := Write(io.Discard, n); err != nil {
				b.Fatal(err)
			}
		}
	})
}
