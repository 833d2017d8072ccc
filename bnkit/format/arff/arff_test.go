package arff_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/arff"
	"bnlab/internal/textpos"
)

func ExampleRead() {
	t, err := arff.ReadFrom(strings.NewReader(`
		% mail orders
		@relation orders
		@attribute size {small, medium, large}
		@attribute 'unit price' numeric
		@attribute returned {no, yes}
		@data
		large, 12.5, no
		small, ?, yes
	`), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Variables()[0])
	fmt.Println(t)
	// Output:
	// size {small, medium, large}
	// 2 rows, 3 columns
	// size   unit price  returned
	// large  12.5        no
	// small  ?           yes
}

func ExampleWrite() {
	t, err := data.ReadCSV(strings.NewReader("size,price\nsmall,1.5\nvery large,\n"), nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := arff.WriteTo(os.Stdout, t); err != nil {
		log.Fatal(err)
	}
	// Output:
	// @relation cases
	//
	// @attribute size {small,'very large'}
	// @attribute price numeric
	//
	// @data
	// small,1.5
	// 'very large',?
}

// csv is the table that a file must equal, its states declared where they matter.
func csv(t *testing.T, text string, opts *data.CSVOptions) *data.Table {
	t.Helper()
	table, err := data.ReadCSV(strings.NewReader(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const header = "@relation r\n@attribute a {x, 'y z', \"w\"}\n@attribute n REAL\n@ATTRIBUTE s String\n@data\n"

func TestRead(t *testing.T) {
	states := map[string][]string{"a": {"x", "y z", "w"}}
	for _, c := range []struct {
		name, text string
		opts       *arff.Options
		want       *data.Table
	}{
		{"dense", header + "x,1,p\n'y z' , -2.5e-3,\t\"q\"\n?,?,?\n", nil,
			csv(t, "a,n,s\nx,1,p\ny z,-0.0025,q\n,,\n", &data.CSVOptions{States: states, Continuous: []string{"n"}})},
		{"comments, empty lines, line ends, white space between values", "\ufeff% c\r\n" +
			strings.ReplaceAll(header, "\n", "\r\n") + "\r\n  % c\r\nx 1\tp % c\r\n\r\nw\t.5\tq10\nw 5. q2", nil,
			csv(t, "a,n,s\nx,1,p\nw,0.5,q10\nw,5,q2\n", &data.CSVOptions{States: states, Continuous: []string{"n"}})},
		{"ranges, bytes in comments", "% M\xfcller\n@relation r\n@attribute n integer [1,10]\n" +
			"@attribute x real ( 0 , 1 ] % c\n@data\n  % \xe9\n1,0.5\n", nil,
			csv(t, "n,x\n1,0.5\n", &data.CSVOptions{Continuous: []string{"n", "x"}})},
		{"CR", strings.ReplaceAll(header+"x,1,p\n", "\n", "\r"), nil,
			csv(t, "a,n,s\nx,1,p\n", &data.CSVOptions{States: states, Continuous: []string{"n"}})},
		{"a question mark in quotes is a value", "@relation r\n@attribute a {'?',b}\n@data\n?\n'?'\nb\n", nil,
			csv(t, "a\n\"\"\n?\nb\n", &data.CSVOptions{States: map[string][]string{"a": {"?", "b"}},
				Missing: []string{}})},
		{"escapes", "@relation 'r'\n@attribute 'it\\'s' {'50\\%', \"say \\\"x\\\"\", 'a\\\\b', " +
			"'tab\\tline\\n'}\n@data\n'tab\\tline\\n'\n\"50%\"\n'say \"x\"'\n", nil,
			csv(t, "it's\n\"tab\tline\n\"\n50%\n\"say \"\"x\"\"\"\n",
				&data.CSVOptions{KeepSpace: true,
					States: map[string][]string{"it's": {"50%", `say "x"`, `a\b`, "tab\tline\n"}}})},
		{"the escape of Weka for an unseen sign", "@relation r\n@attribute a {'x\\u001Ey', " +
			"'u001'}\n@data\n'x\\u001Ey'\n'\\u001'\n", nil,
			csv(t, "a\nx\x1ey\nu001\n", &data.CSVOptions{States: map[string][]string{"a": {"x\x1ey", "u001"}}})},
		{"chosen columns; dates are left out", "@relation r\n@attribute d date \"yyyy-MM-dd HH:mm\"\n@attribute " +
			"a{u,v}\n@attribute n integer\n@data\n\"2020-01-01 00:00\",v,10\n'2020-01-02 00:00',u,9\n",
			&arff.Options{Columns: []string{"n", "a"}, Discrete: []string{"n"}},
			csv(t, "a,n\nv,10\nu,9\n", nil)},
		{"dropped", "@relation r\n@attribute d date\n@attribute a{u,v}\n@attribute n integer\n@data\n2020,v,1\n" +
			"2021,u,2\n",
			&arff.Options{Drop: []string{"d", "n"}}, csv(t, "a\nv\nu\n", nil)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := arff.ReadFrom(strings.NewReader(c.text), c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got.Hash() != c.want.Hash() {
				t.Errorf("read\n%v\nwant\n%v", got, c.want)
			}
		})
	}
}

// Sparse rows leave out what is 0 or the first state; weights stand in braces.
func TestReadSparseAndWeights(t *testing.T) {
	const header = "@relation r\n@attribute a {x,y}\n@attribute n numeric {2}\n@attribute b {no,yes} {0.5}\n@data\n"
	got, err := arff.ReadFrom(strings.NewReader(header+"{1 2.5, 2 yes}, {5}\n{ }\n{0 ?, 1 ?}\n{0 "+
		"y}\t{0.25}\ny,1,no,{0}\nx,3,yes {2}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := csv(t, "a,n,b,w\nx,2.5,yes,5\nx,0,no,1\n,,no,1\ny,0,no,0.25\ny,1,no,0\nx,3,yes,2\n",
		&data.CSVOptions{Weight: "w", Continuous: []string{"n"}})
	if got.Hash() != want.Hash() {
		t.Errorf("read\n%v %v\nwant\n%v %v", got, got.Weights(), want, want.Weights())
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		line, column int
		is           error
		want         string
	}{
		{"no ARFF", "a,b\n1,2\n", 1, 1, nil, "where @relation, @attribute or @data should stand"},
		{"no relation", "@attribute a {x}\n", 1, 1, nil, "@attribute before @relation"},
		{"two relations", "@relation a\n@relation b\n", 2, 1, nil, "a second @relation"},
		{"relation of two words", "@relation a b\n", 1, 13, nil, "where the line should end"},
		{"type", "@relation r\n@attribute a number\n", 2, 14, nil, `"number" where the type of "a" should stand`},
		{"name of two words", "@relation r\n@attribute unit price numeric\n", 2, 17, nil, "in quotes"},
		{"relational", "@relation r\n@attribute a relational\n", 2, 14, nil, "relational"},
		{"no states", "@relation r\n@attribute a { }\n", 2, 16, nil, "no states"},
		{"state twice", "@relation r\n@attribute a {x,y,x}\n", 2, 19, bn.ErrDuplicate, `"x" twice`},
		{"states not closed", "@relation r\n@attribute a {x,\ny}\n", 2, 14, nil, "not closed by }"},
		{"empty state", "@relation r\n@attribute a {x,,y}\n", 2, 17, nil, "where a state"},
		{"attribute twice", "@relation r\n@attribute a real\n@attribute a real\n", 3, 12, bn.ErrDuplicate,
			`attributes 1 and 2 are both "a"`},
		{"unknown state", header + "x,1,p\nz,1,p\n", 7, 1, bn.ErrUnknownState, `"z"`},
		{"states are told apart by case", header + "X,1,p\n", 6, 1, bn.ErrUnknownState, `"X"`},
		{"no number", header + "x,1O,p\n", 6, 3, data.ErrNumber, `attribute "n", value "1O"`},
		{"infinite", header + "x,Infinity,p\n", 6, 3, data.ErrNumber, "Infinity"},
		{"too large", header + "x,1e999,p\n", 6, 3, data.ErrNumber, "1e999"},
		{"too few", header + "x,1\n", 6, 4, data.ErrRagged, "2 values, there are 3 attributes"},
		{"too many", header + "x,1,p,q\n", 6, 7, data.ErrRagged, `found "q"`},
		{"empty cell", header + "x,,p\n", 6, 3, nil, "write ? for a missing one"},
		{"a comma at the end", header + "x,1,p,\n", 6, 6, data.ErrRagged, "a comma after the last value"},
		{"quotes", header + "x,1,'p\n", 6, 5, nil, "not closed"},
		{"quote in a word", header + "x,1,don't\n", 6, 8, nil, "in quotes"},
		{"percent in a word", header + "x,50%,p\n", 6, 5, nil, "in quotes"},
		{"octal", header + "x,1,'\\101'\n", 6, 6, nil, "octal"},
		{"weight", header + "x,1,p,{-1}\n", 6, 8, data.ErrWeight, "-1"},
		{"weight NaN", header + "x,1,p,{NaN}\n", 6, 8, data.ErrWeight, "NaN"},
		{"weight not closed", header + "x,1,p,{1\n", 6, 9, nil, "should end the weight"},
		{"sparse number", header + "{3 p}\n", 6, 2, nil, "(0 to 2)"},
		{"sparse order", header + "{1 2, 0 x, 2 p}\n", 6, 7, nil, "must ascend"},
		{"sparse twice", header + "{2 p, 2 q}\n", 6, 7, nil, "must ascend"},
		{"sparse without value", header + "{2}\n", 6, 3, nil, "value of attribute 2"},
		{"sparse not closed", header + "{2 p\n", 6, 5, nil, "comma or }"},
		{"sparse text left out", header + "{0 x}\n", 6, 5, nil, `string attribute "s"`},
		{"range not closed", "@relation r\n@attribute n integer [1,10\n@data\n1\n", 2, 22, nil, "the range"},
		{"not UTF-8", header + "x,1,M\xfcller\n", 6, 6, data.ErrEncoding, "UTF-8"},
		{"cut off", "@relation r\n@attribute a {x}\n", 0, 0, nil, "no @data"},
		{"no attributes", "@relation r\n@data\n", 0, 0, nil, "no attributes"},
		{"no rows", header, 0, 0, data.ErrNoRows, "only a header"},
		{"date", "@relation r\n@attribute d date\n@data\n2020\n", 0, 0, nil, "leave it out by Options.Drop"},
	} {
		_, err := arff.ReadFrom(strings.NewReader(c.text), nil)
		var at *textpos.Error
		if errors.As(err, &at) != (c.line > 0) || err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil &&
			!errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		} else if at != nil && (at.Line != c.line || at.Column != c.column) {
			t.Errorf("%s: error %v, want it at %d:%d", c.name, err, c.line, c.column)
		}
	}
	_, err := arff.ReadFrom(strings.NewReader(header+"x,1,p\n"), &arff.Options{Columns: []string{"b"}})
	if !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("unknown column: %v", err)
	}
	for _, opts := range []*arff.Options{{Drop: []string{"b"}}, {Columns: []string{"a"}, Drop: []string{"a"}}} {
		if _, err := arff.ReadFrom(strings.NewReader(header+"x,1,p\n"), opts); err == nil ||
			!strings.Contains(err.Error(), "Options.Drop") {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.arff")
	if err := os.WriteFile(path, []byte(header+"z,1,p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := arff.Read(path, nil); err == nil || !strings.Contains(err.Error(), path+": line 6, column 1") {
		t.Errorf("the error does not name the file: %v", err)
	}
}

func TestRoundTrip(t *testing.T) {
	v := bn.Discrete("it's a \"name\", {1}", "?", "@data", "50%", `a\b`, "tab\tline\nend\r", " space ", "ü", "'",
		"\x01", "never")
	c := data.Column{Var: v, States: []bn.State{0, 1, 2, 3, 4, 5, 6, 7, 8, bn.Missing}}
	x := data.Column{Var: bn.Continuous("x"), Values: []float64{0, math.Copysign(0, -1), 1. / 3, math.MaxFloat64,
		5e-324, math.NaN(), -1e21, 7, 1e-7, 123456789}}
	table, err := data.New(c, x)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := table.WithWeights([]float64{1, 2, 0, 0.1, 1. / 3, 1, 1, 1, 1e140, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []*data.Table{table, weighted} {
		path := filepath.Join(t.TempDir(), "t.arff")
		if err := arff.Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := arff.Read(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != want.Hash() {
			t.Errorf("read\n%v\nwant\n%v", got, want)
		}
	}
	bad, err := data.New(data.Column{Var: bn.Discrete("a", "\xff"), States: []bn.State{0}})
	if err != nil {
		t.Fatal(err)
	}
	if err := arff.WriteTo(&bytes.Buffer{}, bad); !errors.Is(err, data.ErrEncoding) {
		t.Errorf("text that is not UTF-8: %v", err)
	}
	if err := arff.WriteTo(&bytes.Buffer{}, nil); err == nil {
		t.Error("no table was written")
	}
}

// Whatever is read can be written, and is then read the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(header + "x,1,p\n{1 2, 2 p}, {3}\n?,?,'?'\n"))
	f.Add([]byte("@relation r\n@attribute 'a\\n' {\"b\\\"\"}\n@data\n'b\"' {0.5}\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := arff.ReadFrom(bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := arff.WriteTo(&b, got); err != nil {
			t.Fatal(err)
		}
		again, err := arff.ReadFrom(bytes.NewReader(b.Bytes()), nil)
		if err != nil || again.Hash() != got.Hash() {
			t.Fatalf("read\n%v\nwritten\n%s\nand read\n%v (%v)", got, b.String(), again, err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("@relation r\n")
	for i := range 20 {
		fmt.Fprintf(&text, "@attribute v%d {low,normal,high}\n", i)
	}
	text.WriteString("@data\n")
	for range 10000 {
		text.WriteString(strings.Repeat("normal,", 19) + "high\n")
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := arff.ReadFrom(strings.NewReader(text.String()), nil); err != nil {
			b.Fatal(err)
		}
	}
}
