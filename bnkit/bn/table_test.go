package bn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	either = Discrete("either", "no", "yes")
	bronc  = Discrete("bronc", "no", "yes")
	dysp   = Discrete("dysp", "no", "yes")
)

func TestParseCPT(t *testing.T) {
	want := []float64{0.9, 0.1, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9} // by bronc, either, dysp
	for _, c := range []struct{ name, text string }{
		{"in order",
			"bronc either | no yes\n no no | 0.9 0.1\n no yes | 0.3 0.7\n yes no | 0.2 0.8\n yes yes | 0.1 0.9"},
		{"rows in another order", "bronc either | no yes\n yes yes | 0.1 0.9\n no yes | 0.3 0.7\n yes no | 0.2 0.8\n " +
			"no no | 0.9 0.1"},
		{"parents in another order", "either bronc | no yes\n no no | 0.9 0.1\n yes no | 0.3 0.7\n no yes | 0.2 " +
			"0.8\n yes yes | 0.1 0.9"},
		{"states in another order", "bronc either | yes no\n no no | 0.1 0.9\n no yes | 0.7 0.3\n yes no | 0.8 0.2\n " +
			"yes yes | 0.9 0.1"},
		{"star for what is left", "bronc either | no yes\n no no | 0.9 0.1\n no yes | 0.3 0.7\n yes yes | 0.1 0.9\n " +
			"yes * | 0.2 0.8"},
		{"stars in all places", "bronc either | no yes\n no * | 0.9 0.1\n yes yes | 1e-1 0.9\n * * | 0.2 0.8\n"},
		{"quotes, comments, empty lines", "# first\n\n \"bronc\" either | no \"yes\" # header\r\n no no | 0.9 " +
			"0.1\n\t no yes|0.3 0.7#last\n yes no |0.2 0.8\n yes yes| .1 +.9 \n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := parseCPT(c.text, dysp, bronc, either)
			if c.name == "stars in all places" {
				want := []float64{0.9, 0.1, 0.9, 0.1, 0.2, 0.8, 0.1, 0.9}
				checkTable(t, table, err, want)
				return
			}
			if c.name == "quotes, comments, empty lines" {
				if err == nil || !strings.Contains(err.Error(), `line 5: "0.7#last" is not a probability`) {
					t.Errorf("error %v, want one that a comment begins with a word", err)
				}
				table, err = parseCPT(strings.Replace(c.text, "#last", " #last", 1), dysp, bronc, either)
			}
			checkTable(t, table, err, want)
		})
	}
	for _, text := range []string{"no yes\n0.25 0.75", "| no yes\n| 0.25 0.75", "\n  yes no # order\n\n  0.75 0.25\n"} {
		table, err := parseCPT(text, dysp)
		checkTable(t, table, err, []float64{0.25, 0.75})
	}
}

// TestParseCPTOrders has parents with different states, named in another order.
func TestParseCPTOrders(t *testing.T) {
	text := "size bronc | yes no\n m yes | 0.25 0.75\n s no | 0 1\n * yes | 1 0\n * * | 0.5 0.5"
	table, err := parseCPT(text, dysp, bronc, Discrete("size", "s", "m", "l"))
	checkTable(t, table, err, []float64{1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1, 0.75, 0.25, 0, 1})
}

func checkTable(t *testing.T, table *CPT, err error, want []float64) {
	t.Helper()
	if err != nil {
		t.Error(err)
		return
	}
	for i, p := range table.P {
		if p != want[i] {
			t.Errorf("table %v, want %v", table.P, want)
			return
		}
	}
}

func TestParseCPTErrors(t *testing.T) {
	const head = "bronc either | no yes\n"
	for _, c := range []struct {
		name, text string
		is         error
		message    string
	}{
		{"empty", "\n # nothing\n", nil,
			`the table of "dysp" is empty; write a header and a row for each configuration, as in "bronc either | no yes"`},
		{"no bar", "bronc either no yes", nil,
			`line 1: no bar between the parents and the states, as in "bronc either | no yes"`},
		{"no bar in a row", head + "no no 0.9 0.1", nil, `line 2: no bar between the parents and the states`},
		{"two bars", head + "no | no | 0.9 0.1", nil, `line 2: a second bar`},
		{"parent missing in the header", "bronc | no yes", nil,
			`line 1: the header names 1 parents, "dysp" has 2; write "bronc either | no yes"`},
		{"unknown parent", "bronc Either | no yes", ErrUnknownVariable,
			`line 1: unknown variable "Either" among the parents of "dysp"; write "bronc either | no yes"`},
		{"parent twice", "bronc bronc | no yes", ErrDuplicate, `line 1: duplicate name: parent "bronc"`},
		{"state missing in the header", "bronc either | no", nil,
			`line 1: the header names 1 states, "dysp" has 2; write "bronc either | no yes"`},
		{"unknown state in the header", "bronc either | no Yes", ErrUnknownState,
			`line 1: unknown state "Yes" of "dysp" (states: no, yes)`},
		{"state twice", "bronc either | no no", ErrDuplicate, `line 1: duplicate name: state "no"`},
		{"parent state missing", head + "no | 0.9 0.1", nil, `line 2: 1 parent states for 2 parents`},
		{"probability missing", head + "no no | 0.9", nil, `line 2: 1 probabilities for 2 states`},
		{"unknown parent state", head + "no maybe | 0.9 0.1", ErrUnknownState,
			`line 2: unknown state "maybe" of "either" (states: no, yes)`},
		{"row twice", head + "no no | 0.9 0.1\nno no | 0.9 0.1", nil,
			`line 3: the row for bronc=no, either=no occurs twice`},
		{"row after its star", head + "no * | 0.9 0.1\nno no | 0.9 0.1", nil,
			`line 3: the row for bronc=no, either=no occurs twice`},
		{"row missing", head + "no * | 0.9 0.1\nyes yes | 0.9 0.1", nil,
			`the table of "dysp" has no row for bronc=yes, either=no`},
		{"sum", head + "no * | 0.9 0.1\nyes * | 0.9 0.2", nil, `line 3: the probabilities sum to 1.1, not 1`},
		{"above 1", head + "no * | 1.9 0.1", nil, `line 2: "1.9" is not a probability`},
		{"below 0", head + "no * | 1 -0.1", nil, `line 2: "-0.1" is not a probability`},
		{"NaN", head + "no * | NaN 0.1", nil, `line 2: "NaN" is not a probability`},
		{"word", head + "no * | half half", nil, `line 2: "half" is not a probability`},
		{"decimal comma", head + "no * | 0,9 0,1", nil, `line 2: "0,9" is not a probability`},
		{"quote not closed", head + "no \"yes | 0.9 0.1", nil,
			`line 2: a double quote is not closed, or a backslash not doubled, in "yes | 0.9 0.1`},
		{"bad escape", "bronc \"\\q\" | no yes", nil,
			`line 1: a double quote is not closed, or a backslash not doubled, in "\q" | no yes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := parseCPT(c.text, dysp, bronc, either)
			if err == nil {
				t.Fatalf("no error, table\n%v", table)
			}
			if !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "bn: ") || c.is != nil &&
				!errors.Is(err, c.is) {
				t.Errorf("error %q, want one with %q that wraps %v", err, c.message, c.is)
			}
			if strings.Count(err.Error(), "bn: ") != 1 {
				t.Errorf("error %q names the package more than once", err)
			}
		})
	}
	if _, err := parseCPT("a | no yes\n 0.5 0.5", dysp); err == nil ||
		!strings.Contains(err.Error(), `the header names 1 parents, "dysp" has 0; write "| no yes"`) {
		t.Errorf("error %v", err)
	}
}

func TestString(t *testing.T) {
	table, err := NewCPT(Discrete("size of #", "small", "very large", "*"), Discrete("a|b", "no", `"yes"`))
	if err != nil {
		t.Fatal(err)
	}
	copy(table.P, []float64{1, 0, 0, 0.5, 1e-7, 0.4999999})
	want := `"a|b"     | small "very large" "*"
no        | 1     0            0
"\"yes\"" | 0.5   1e-07        0.4999999
`
	if got := table.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestTableReadsBack draws tables with odd names and full-length numbers.
func TestTableReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.StringOf(rapid.RuneFrom([]rune("ab*#|\"'\\ \t\n\r\v\f\u00a0\u2028é=<>5"))),
			rapid.SampledFrom([]string{"*", "#", "|", "\"", "\xff", "a\xffb", "`", "0.5", "two words", "\u3000x",
				"\x00"}),
			rapid.String(),
		).Filter(func(s string) bool { return s != "" })
		names := rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "names")
		vars := make([]Variable, len(names))
		for i := range vars {
			vars[i] = Discrete(names[i], rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "states")...)
		}
		table, err := NewCPT(vars[0], vars[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		randomise(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), table)
		again, err := parseCPT(table.String(), vars[0], vars[1:]...)
		if err != nil {
			t.Fatalf("%v in\n%s", err, table)
		}
		if !again.Equal(table) {
			t.Fatalf("\n%s\nreads back as\n%s", table, again)
		}
	})
}

// randomise fills a table with rows that sum to 1 up to rounding.
func randomise(rng *rand.Rand, t *CPT) {
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

func FuzzParseCPT(f *testing.F) {
	for _, s := range []string{"", "bronc either | no yes\n no * | .9 .1\n * * | 1 0",
		"either bronc | yes no\n* * | 1e-1 0.9 # x", "a \"b\" | \"*\"", "| | |", "\"\\x\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := parseCPT(text, dysp, bronc, either)
		if err != nil {
			return
		}
		if err := table.Validate(); err != nil {
			t.Fatal(err)
		}
		again, err := parseCPT(table.String(), dysp, bronc, either)
		if err != nil || !again.Equal(table) {
			t.Fatalf("%q reads as\n%v which reads back as\n%v, %v", text, table, again, err)
		}
	})
}

// TestParseCPTManyRows keeps the time of a large typed table proportional to its rows.
func TestParseCPTManyRows(t *testing.T) {
	states := make([]string, 200)
	for i := range states {
		states[i] = fmt.Sprint("s", i)
	}
	table, err := NewCPT(dysp, Discrete("a", states...), Discrete("b", states...))
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseCPT(table.String(), table.Child, table.Parents...)
	if err != nil || !again.Equal(table) {
		t.Errorf("a table of %d rows does not read back: %v", table.Configs().Len(), err)
	}
}

func BenchmarkParseCPT(b *testing.B) {
	states := make([]string, 50)
	for i := range states {
		states[i] = fmt.Sprint("s", i)
	}
	table, err := NewCPT(dysp, Discrete("a", states...), Discrete("b", states...))
	if err != nil {
		b.Fatal(err)
	}
	text := table.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseCPT(text, table.Child, table.Parents...); err != nil {
			b.Fatal(err)
		}
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "é": "é", "<5": "<5", "it's": "it's", "a*": "a*",
		"*": `"*"`, "a b": `"a b"`, "a|b": `"a|b"`, "#": `"#"`, `"`: `"\""`,
		"\xff": `"\xff"`, "\u200b": `"\u200b"`, "\x00": `"\x00"`, // would not show, or break the columns
	} {
		if got := quote(name); got != want {
			t.Errorf("quote(%q) = %s, want %s", name, got, want)
		}
	}
}

// TestSetTableRounding types tables with few digits: their rows are divided by their sums.
func TestSetTableRounding(t *testing.T) {
	net, err := New("[a][b|a]", Discrete("a", "x", "y", "z"), Discrete("b", "n", "y"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("a", "x y z\n 0.333 0.333 0.333"); err != nil {
		t.Fatal(err)
	}
	for _, p := range net.CPT(0).P {
		if math.Abs(p-1./3) > 1e-15 {
			t.Errorf("%v, want 1/3 each", net.CPT(0).P)
			break
		}
	}
	if err := net.SetTable("b", "a | n y\n x | 1.0000000000000002 -5.6e-17\n * | 0.5 0.5"); err != nil {
		t.Error(err)
	} else if got := net.CPT(1).P[:2]; got[0] != 1 || got[1] != 0 {
		t.Errorf("%v, want 1 and 0", got)
	}
	if err := net.SetTable("a", "x y z\n 0.333 0.333 0.344"); err == nil {
		t.Error("a row that is off by more than its digits explain is set")
	}
	three := net.CPT(0).Clone()
	copy(three.P, []float64{0.25, 0.4999, 0.25})
	if err := net.SetCPT(three); err != nil || math.Abs(net.CPT(0).P[0]-0.25/0.9999) > 1e-15 || three.P[0] != 0.25 {
		t.Errorf("%v, %v; the table given is %v", net.CPT(0).P, err, three.P)
	}
}
