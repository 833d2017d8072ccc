// Package main_test holds the readers of files to their bound (package limit): small files that stand for
// much, or that took the square of their length, are read or refused in memory and time that grow with the file.
// The files are made here. Where time was the trouble a file is so long that the square would take
// minutes, and nothing else measures it.
package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/bids"
	"bnlab/internal/limit"
	"bnlab/internal/nifti"
)

// A hostileFile is a file, its reader, and what comes of it.
type hostileFile struct {
	name string
	file []byte
	read func(t *testing.T, file []byte) error
	want string // part of the error; empty for a file that is read
	is   error  // that it wraps
	each uint64 // bytes of memory for one of the file, garbage included: twice what was measured
	more uint64 // bytes of memory beyond them, for what the file may imply; 0 means small
}

const (
	small   = 1 << 20
	implied = 5 * 8 * limit.Cells // numbers in slices that grow by a quarter, of which the others are garbage
)

func TestReaders(t *testing.T) {
	for _, test := range append(files(t), parquetFiles(t)...) {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := test.read(t, test.file)
			runtime.ReadMemStats(&after)
			used, most := after.TotalAlloc-before.TotalAlloc, max(test.more, small)+test.each*uint64(len(test.file))
			t.Logf("a file of %d bytes takes %d: %.100v", len(test.file), used, err)
			if used > most {
				t.Errorf("a file of %d bytes takes %d, more than %d", len(test.file), used, most)
			}
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %.200v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %.200v, want one with %q", err, test.want)
			case test.is != nil && !errors.Is(err, test.is):
				t.Errorf("error %.200v does not wrap %v", err, test.is)
			}
		})
	}
}

func files(t *testing.T) []hostileFile {
	return []hostileFile{
		{"saved model", savedModel(27), load, `the table of "c0" has 1 entries, it needs 268435456`, nil, 100, 0},

		{"knowledge, many parents", knowledgeOf(27), network, `the tables up to that of "c" with its 27 parents`,
			bn.ErrTooLarge, 100, 0},
		{"knowledge, empty lines", text("title: |\n", strings.Repeat("\n", 1<<19)), network, "empty lines", nil, 50, 0},
		{"knowledge, keys", numbered("", "k%d: v\n", 1<<16, ""), network, "more than 1000 keys", nil, 200, 0},
		{"knowledge, values left out", text("statements:\n", strings.Repeat("-\n", 1<<18)), network,
			"1000 values are left out", nil, 400, 0},
		{"knowledge, tabs", text(`title: "`, strings.Repeat("a\t", 1<<18), `"`), network, "tabs", nil, 1, 0},
		{"knowledge, long names", text("network: \"[", strings.Repeat("a", 1<<18), "]\"\nvariables: [{name: ",
			strings.Repeat("a", 1<<18-1),
			"b, states: [x, y]}]\n"), network, "it is not declared", nil, 80, 0},
		{"knowledge, a model string of blanks", text("network: \"", strings.Repeat(" ", 1<<19),
			"[a]\"\nvariables: [{name: a, states: [x, y]}]\n"), network, "", nil, 80, 0},
		{"knowledge, 5,000 statements", numbered("title: t\nstatements:\n",
			"- {influence: {parent: smoking%d, child: cancer, sign: positive}, source: \"Smith 2001, Table 2\"}\n",
			5000, ""), statements, "", nil, 350, 0},

		{"Hugin, a number", text("net {} node a { states = (\"x\" \"y\"); } potential (a) { data = (1",
			strings.Repeat("e", 1<<20), "); }"), readNetwork("a.net"), "where a number should stand", nil, 4, 0},
		{"Hugin, signs in a number", text("net {} node a { states = (\"x\" \"y\"); } potential (a) { data = (1",
			strings.Repeat("e+", 1<<19), "); }"), readNetwork("a.net"), "where a number should stand", nil, 4, 0},
		{"Hugin, no numbers", huginOf(30), readNetwork("a.net"),
			`the table of "c", 1073741824 configurations of 30 parents`, bn.ErrTooLarge, 50, 0},
		{"Netica, a number", text("bnet a { node b { kind = NATURE; states = (x, y); probs = (1", strings.Repeat("e",
			1<<20), "); }; };"), readNetwork("a.dne"), "where a number should stand", nil, 4, 0},
		{"Netica, states without names", numbered("bnet a {\n",
			"node b%d { kind = NATURE; discrete = TRUE; numstates = 65535; };\n", 60, "};\n"), readNetwork("a.dne"),
			"the names of the 65535 states", bn.ErrTooLarge, 50, implied},
		{"XMLBIF, no numbers", xmlbifOf(30), readNetwork("a.xml"), `the table of "c"`, bn.ErrTooLarge, 60, 0},
		{"GeNIe, noisy-MAX", genieOf(30), readNetwork("a.xdsl"), `the table of "c"`, bn.ErrTooLarge, 50, 0},
		{"BIF, a default", bifOf(30), parseBIF, `the table of "c"`, bn.ErrTooLarge, 20, 0},

		{"ARFF, sparse rows", append(numbered("@relation r\n", "@attribute a%d real\n", 4000, "@data\n"),
			strings.Repeat("{}\n", 50000)...), readARFF, "Options.MaxCells", bn.ErrTooLarge, 300, implied},
		{"ARFF, many attributes", numbered("@relation r\n", "@attribute a%d real\n", 250000, "@data\n"), readARFF,
			"only a header", data.ErrNoRows, 80, 0},

		{"DOT, a chain", numbered("digraph { a", "->a%d", 200000, " }"), readDOT, "", nil, 160, 0},
		{"DOT, a joined name", text(`digraph { "a"`, strings.Repeat(`+"a"`, 1<<18), " }"), readDOT, "", nil, 60, 0},
		{"DOT, arrows between groups", text("digraph {{", string(numbered("", "a%d ", 2000, "")), "}->{",
			string(numbered("", "b%d ", 2000, "")), "}}"), readDOT, "arrows between groups", bn.ErrTooLarge, 140, 0},
		{"GraphML, an order from both ends", zigzag(60000), readGraphML, "", nil, 60, 0},

		{"BIDS, many columns", columns(200000), readBIDS, "2 cells where the header has 200002 columns",
			bids.ErrFormat, 60, 0},
		{"NIfTI, a large mask", niftiHeader(406, 406, 406), readNIfTI, "66923416 voxels", nifti.ErrLimit, 1, 0},
		{"NIfTI, a mask that ends", niftiHeader(320, 320, 320), readNIfTI, "wanted", nifti.ErrTruncated, 1, 0},
	}
}

func text(parts ...string) []byte { return []byte(strings.Join(parts, "")) }

// numbered repeats a line with numbers from 0.
func numbered(head, line string, n int, tail string) []byte {
	b := []byte(head)
	for i := range n {
		b = fmt.Appendf(b, line, i)
	}
	return append(b, tail...)
}

func savedModel(parents int) []byte {
	b := []byte(`{"format": "bnlab model 1", "variables": [`)
	for i := range parents {
		b = fmt.Appendf(b, `{"name": "p%d", "states": ["n", "y"], "parents": [], "table": [0.5, 0.5]},`, i)
	}
	names := strings.TrimSuffix(string(numbered("", `"p%d",`, parents, "")), ",")
	for i := range 4 {
		b = fmt.Appendf(b, `{"name": "c%d", "states": ["n", "y"], "parents": [%s], "table": [1]},`, i, names)
	}
	return append(b[:len(b)-1], `], "method": "ML", "cases": 1, "log_likelihood_nats": 0, "seed": 0}`...)
}

func knowledgeOf(parents int) []byte {
	model, variables := string(numbered("network: \"", "[p%d]", parents, "[c|p0")), numbered("variables:\n",
		"- {name: p%d, states: [x, y]}\n", parents, "- {name: c, states: [x, y]}\n")
	for i := 1; i < parents; i++ {
		model += fmt.Sprintf(":p%d", i)
	}
	return text(model, "]\"\n", string(variables))
}

func huginOf(parents int) []byte {
	b := numbered("net {}\n", "node p%d { states = (\"x\" \"y\"); }\n", parents,
		"node c { states = (\"x\" \"y\"); }\npotential (c |")
	return append(b, numbered("", " p%d", parents, ") {}\n")...)
}

func xmlbifOf(parents int) []byte {
	b := numbered("<BIF><NETWORK>", "<VARIABLE><NAME>p%d</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>\n",
		parents,
		"<VARIABLE><NAME>c</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE><DEFINITION><FOR>c</FOR>")
	return append(b, numbered("", "<GIVEN>p%d</GIVEN>", parents, "</DEFINITION></NETWORK></BIF>")...)
}

func genieOf(parents int) []byte {
	b := numbered("<smile><nodes>",
		`<cpt id="p%d"><state id="x"/><state id="y"/><probabilities>0.5 0.5</probabilities></cpt>`, parents,
		`<noisymax id="c"><state id="x"/><state id="y"/><parents>`)
	b = append(b, numbered("", "p%d ", parents, "</parents><strengths>")...)
	return append(b, strings.Repeat("0 1 ", parents)+"</strengths><parameters>"+strings.Repeat("0.5 0.5 0 1 ",
		parents)+"0.1 0.9</parameters></noisymax></nodes></smile>"...)
}

func bifOf(parents int) []byte {
	b := numbered("", "variable p%d { type discrete [2] {x, y}; } probability (p%[1]d) { table 0.5, 0.5; }\n", parents,
		"variable c { type discrete [2] {x, y}; } probability (c |")
	return append(b, numbered("", " p%d", parents, ") { default 0.5, 0.5; }\n")...)
}

// zigzag is a chain n/2, 0, n/2+1, 1, … whose variables become ready in turn at both ends of the file.
func zigzag(n int) []byte {
	b := numbered("<graphml><graph edgedefault=\"directed\">", "<node id=\"n%d\"/>\n", n, "")
	for i := range n / 2 {
		b = fmt.Appendf(b, "<edge source=\"n%d\" target=\"n%d\"/>\n", n/2+i, i)
		if i+1 < n/2 {
			b = fmt.Appendf(b, "<edge source=\"n%d\" target=\"n%d\"/>\n", i, n/2+i+1)
		}
	}
	return append(b, "</graph></graphml>"...)
}

// columns is a table with a long header, of names of four letters.
func columns(n int) []byte {
	b := []byte("onset\ttrial_type")
	for i := range n {
		b = strconv.AppendInt(append(b, '\t'), 36*36*36+int64(i), 36)
	}
	return append(b, "\n1\ta\n"...)
}

// niftiHeader is the header of an image of bytes without them.
func niftiHeader(x, y, z int16) []byte {
	b := make([]byte, 352)
	put := func(at int, values ...int16) {
		for i, v := range values {
			b[at+2*i], b[at+2*i+1] = byte(v), byte(v>>8)
		}
	}
	put(0, 348)
	put(40, 3, x, y, z, 1)
	put(70, 2, 8)                     // uint8
	copy(b[108:], "\x00\x00\xb0\x43") // vox_offset 352
	copy(b[344:], "n+1\x00")
	return b
}

// place writes a file for readers that take a path.
func place(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, b []byte) error {
	_, err := bnkit.Load(place(t, "m.json", b))
	return err
}

func statements(_ *testing.T, b []byte) error {
	_, err := knowledge.Parse("k.yaml", b)
	return err
}

func network(_ *testing.T, b []byte) error {
	k, err := knowledge.Parse("k.yaml", b)
	if err == nil && k.Model != "" {
		_, err = k.Network()
	}
	return err
}

func readNetwork(name string) func(*testing.T, []byte) error {
	return func(t *testing.T, b []byte) error {
		_, err := format.Read(place(t, name, b))
		return err
	}
}

func parseBIF(_ *testing.T, b []byte) error {
	_, _, err := bif.Read(bytes.NewReader(b))
	return err
}

func readARFF(t *testing.T, b []byte) error {
	_, err := arff.Read(place(t, "x.arff", b), nil)
	return err
}

func readDOT(t *testing.T, b []byte) error {
	_, err := format.ReadGraph(place(t, "g.dot", b))
	return err
}

func readGraphML(t *testing.T, b []byte) error {
	_, err := format.ReadGraph(place(t, "g.graphml", b))
	return err
}

func readBIDS(t *testing.T, b []byte) error {
	_, err := bids.ReadEvents(place(t, "events.tsv", b), "")
	return err
}

func readNIfTI(t *testing.T, b []byte) error {
	_, _, err := nifti.ReadImage(place(t, "mask.nii", b), nil)
	return err
}

func readParquet(t *testing.T, b []byte) error {
	_, err := parquet.Read(place(t, "t.parquet", b), nil)
	return err
}
