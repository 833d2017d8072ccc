package knowledge_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// TestParseErrors: each says where, what and how to mend it.
func TestParseErrors(t *testing.T) {
	const influence = "statements:\n- influence: {parent: a, child: b, sign: positive}\n"
	for _, test := range []struct{ name, file, want string }{
		{"empty", "", "k.yaml: the file is empty; begin with"},
		{"comments alone", "# nothing\n", "k.yaml: the file is empty"},
		{"a list", "- a\n", "line 1, column 1: a knowledge file is a list; give a map"},
		{"no YAML", "title: [a\n", "k.yaml, line 1, column 8: no YAML: "},
		{"tab", "title: a\n\tnetwork: b\n", "no YAML: "},
		{"not UTF-8", "title: a\nnetwork: \xff\n", "line 2, column 1: the line is not UTF-8 text; save"},
		{"two documents", "title: a\n---\ntitle: b\n", "line 3, column 6: a second document; put each"},
		{"unknown key", "titel: a\n",
			`line 1, column 1: a knowledge file has no key "titel" (did you mean "title"?); its keys are title, network, variables, statements`},
		{"key twice", "title: a\ntitle: b\n",
			`line 2, column 1: no YAML: mapping key "title" already defined at [1:1]`},
		{"key twice in brackets", influence + "- fixed: {of: a, p: {x: 0.1, x: 0.2}}\n",
			`line 3, column 30: no YAML: mapping key "x" already defined`},
		{"null", "title:\n", `line 1, column 8: "title" is empty; give a name or text`},
		{"title of two", "title: [a, b]\n", `line 1, column 8: "title" is a list; give a name or text`},
		{"unknown kind", influence + "- influense: {}\n",
			`line 3, column 3, statement 2: "influense" is no kind of statement (did you mean "influence"?); the kinds are fixed, `},
		{"kind of another", "statements:\n- Influence: {parent: a, child: b, sign: positive}\n",
			`(did you mean "influence"?)`},
		{"two kinds", influence + "  synergy: {parents: [a, c], child: b}\n",
			`line 3, column 3, statement 1: a statement of the kinds "influence" and "synergy"; give each a dash of its own`},
		{"no kind", "statements:\n- source: a\n",
			`line 2, column 3, statement 1: no statement; its kind is one of fixed, `},
		{"statement of text", "statements:\n- a rises with b\n",
			`line 2, column 3, statement 1: a statement is "a rises with b"; give a map`},
		{"formula", "statements:\n- formula: {}\n",
			"statement 1: a formula is Go code, and cannot be in a file; add a constraint.Formula"},
		{"missing field", "statements:\n- influence: {parent: a, child: b}\n",
			`line 2, column 14, statement 1: "influence" needs the key "sign"; its keys are parent, child, sign, over, margin, given`},
		{"missing field below", "statements:\n- influence:\n    parent: a\n",
			`line 3, column 5, statement 1: "influence" needs the key "child"`},
		{"unknown field", "statements:\n- influence: {parent: a, kid: b}\n",
			`line 2, column 26, statement 1: "influence" has no key "kid"`},
		{"list for a name", "statements:\n- influence: {parent: [a], child: b, sign: positive}\n",
			`line 2, column 23, statement 1: "parent" is a list; give a name or text`},
		{"name for a list", "statements:\n- at-most: {of: a, states: x, p: 0.1}\n",
			`line 2, column 28, statement 1: "states" is "x"; give a list, as in [low, high]`},
		{"name for a number", "statements:\n- at-most: {of: a, states: [x], p: half}\n",
			`line 2, column 36, statement 1: "p" is "half"; give a finite number, as in 0.25`},
		{"number in quotes", "statements:\n- at-most: {of: a, states: [x], p: \"0.5\"}\n",
			`"p" is "0.5"; give a finite number`},
		{"number in single quotes", "statements:\n- at-most: {of: a, states: [x], p: '0.5'}\n",
			`"p" is "0.5"; give a finite number`},
		{"number in a block", "statements:\n- at-most:\n    of: a\n    states: [x]\n    p: |-\n      0.5\n",
			`; give a finite number`},
		{"infinite", "statements:\n- at-most: {of: a, states: [x], p: .inf}\n", `"p" is ".inf"; give a finite number`},
		{"too large", "statements:\n- at-most: {of: a, states: [x], p: 1e999}\n",
			`"p" is "1e999"; give a finite number`},
		{"hexadecimal", "statements:\n- at-most: {of: a, states: [x], p: 0x1}\n", `"p" is "0x1"; give a finite number`},
		{"not a number", "statements:\n- fixed: {of: a, p: {x: .nan}}\n", `"x" in "p" is ".nan"; give a finite number`},
		{"map for a list", "statements:\n- share-tables: {of: {a: b}}\n", `"of" is a map; give a list`},
		{"sign", "statements:\n- influence: {parent: a, child: b, sign: up}\n",
			`line 2, column 42, statement 1: "sign": unknown sign "up"; use positive or negative`},
		{"relation", "statements:\n- linear-sum: {terms: [{of: a, state: x}], relation: '>=', value: 0}\n",
			`"relation" is ">="; write one of equal, at most, at least`},
		{"true or false", "statements:\n- synergy: {parents: [a, b], child: c, sub: yes}\n",
			`"sub" is "yes"; give true or false`},
		{"inside a list", "statements:\n- share-cells: {groups: [[{of: a, stat: x}]]}\n",
			`line 2, column 35, statement 1: entry 1 of "groups" has no key "stat" (did you mean "state"?)`},
		{"anchor", "title: &a b\nnetwork: *a\n", "line 1, column 8: anchors and aliases (& * <<) are not read; write " +
			"out"},
		{"merge", "<<: {title: a}\n", "anchors and aliases"},
		{"tag", "title: !!str 3\n", "line 1, column 8: tags (!) are not read"},
		{"directive", "%YAML 1.2\n---\ntitle: a\n", "line 1, column 1: directives such as %YAML are not read"},
		{"question mark", "? title\n: a\n", "line 1, column 1: a key with a question mark is not read"},
		{"deep", "title: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\n",
			"line 1, column 40: brackets within brackets"},
		{"deep dashes", strings.Repeat("- ", 200) + "a\n", "line 1, column 129: lists within lists"},

		{"model", "network: \"[a][b|c]\"\nvariables:\n- {name: a, states: [x]}\n",
			`k.yaml: model string, position 4: unknown variable "c"`},
		{"undeclared", "network: \"[age][b]\"\nvariables:\n- {name: agee, states: [x]}\n",
			`k.yaml: unknown variable "age": it is not declared (did you mean "agee"?); add it to the variables`},
		{"no place", "network: \"[a]\"\nvariables:\n- {name: a, states: [x]}\n- {name: b, states: [x]}\n",
			`line 4, column 3: unknown variable "b": it is declared, but has no place in the network; add [b]`},
		{"declared twice", "variables:\n- {name: a, states: [x]}\n- {name: a, states: [x]}\n",
			`line 3, column 3: duplicate name: the variable "a" is declared twice`},
		{"no name", "variables:\n- {states: [x]}\n", `line 2, column 3: a variable needs the key "name"`},
		{"empty name", "variables:\n- {name: '', states: [x]}\n", `line 2, column 3: a variable has no name`},
		{"no states", "variables:\n- {name: a}\n",
			`line 2, column 3: "a" has no states; list them, lowest first, as in states: [low, high], or say continuous: true`},
		{"state twice", "variables:\n- {name: a, states: [x, x]}\n",
			`duplicate name: variable "a" has the state "x" twice`},
		{"continuous with states", "variables:\n- {name: a, states: [x], continuous: true}\n",
			`"a" is continuous, and has no states`},
		{"hidden with column", "variables:\n- {name: a, states: [x], hidden: true, column: b}\n",
			`"a" is hidden and has no column`},
		{"two ways", "variables:\n- {name: a, states: [x, y], from: [1], above: [1]}\n",
			`"a" gets its states in 2 ways; keep one of from, above and values`},
		{"too few cuts", "variables:\n- {name: a, states: [x, y, z], from: [1]}\n",
			`"a" has 3 states and 1 cut points; give one cut fewer than states`},
		{"cuts in disorder", "variables:\n- {name: a, states: [x, y, z], from: [2, 1]}\n",
			`the cut points of "a" are [2 1]; give finite numbers, each larger`},
		{"values of no state", "variables:\n- {name: a, states: [yes, no], values: {yse: [1], no: [0]}}\n",
			`"a" has values for "yse", which is no state of it (states: [yes no]) (did you mean "yes"?)`},
		{"value twice", "variables:\n- {name: a, states: [yes, no], values: {yes: [1], no: [1]}}\n",
			`"a" has the value "1" twice, under "no" and "yes"; leave it to one`},
		{"state without values", "variables:\n- {name: a, states: [yes, no], values: {yes: [1]}}\n",
			`no value stands for the state "no" of "a"; list some, or say otherwise: no`},
		{"otherwise unknown", "variables:\n- {name: a, states: [yes, no], values: {yes: [1]}, otherwise: non}\n",
			`other values of "a" get the state "non", which it has not (states: [yes no])`},
		{"otherwise alone", "variables:\n- {name: a, states: [yes, no], otherwise: no}\n",
			`"a" has a state for other values, but no values; list them`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := knowledge.Parse("k.yaml", []byte(test.file))
			var where *knowledge.Error
			if !errors.As(err, &where) {
				t.Fatalf("Parse = %v, want a *knowledge.Error", err)
			}
			if !strings.HasPrefix(err.Error(), "knowledge: k.yaml") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Parse says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// TestAsTyped: what editors on other systems make of a file is read alike.
func TestAsTyped(t *testing.T) {
	const file = "title: a\n# comment\nstatements:\n  - influence:\n      parent: Größe\n      child: b  # comment\n " +
		"     sign: positive\n"
	for name, text := range map[string]string{
		"plain": file, "carriage returns": strings.ReplaceAll(file, "\n", "\r\n"), "byte order mark": "\ufeff" + file,
		"document marks": "---\n" + file + "...\n", "no last line end": strings.TrimSpace(file),
	} {
		k, err := knowledge.Parse(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := (constraint.Influence{Parent: "Größe", Child: "b"}); len(k.Entries) != 1 ||
			k.Statements()[0].String() != want.String() {
			t.Errorf("%s: read %v, want %v", name, k.Sentences(), want)
		}
	}
}

// TestHostile: files made to take long or much memory are refused at once.
func TestHostile(t *testing.T) {
	laughs := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		laughs += string(rune('b'+i)) + ": &" + string(rune('b'+i)) + " [" +
			strings.Repeat("*"+string(rune('a'+i))+", ", 10) + "]\n"
	}
	deep := 1 << 17
	indented := ""
	for i := range 1000 {
		indented += strings.Repeat(" ", i) + "a:\n"
	}
	for name, file := range map[string]string{
		"aliases":        laughs,
		"brackets":       strings.Repeat("[", deep),
		"braces":         strings.Repeat("{a: ", deep/4),
		"dashes":         strings.Repeat("- ", deep),
		"question marks": strings.Repeat("? ", deep),
		"tags":           strings.Repeat("!a ", deep/3),
		"indented":       indented,
		"large":          "title: a\n" + strings.Repeat("# a comment\n", 1<<17),
		"open quote":     "title: \"" + strings.Repeat("x", deep),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, err := knowledge.Parse(name, []byte(file)); err == nil {
				t.Error("read without an error")
			}
			if took := time.Since(start); took > 20*time.Second { // a tenth of a second, unless the machine is busy
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := knowledge.Read(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read of no file = %v, want one that wraps os.ErrNotExist", err)
	}
	if _, err := knowledge.Read(t.TempDir()); err == nil {
		t.Error("Read of a folder gave no error")
	}
}

func TestWriteErrors(t *testing.T) {
	influence := constraint.Influence{Parent: "a", Child: "b"}
	one := func(e knowledge.Entry) knowledge.File { return knowledge.File{Entries: []knowledge.Entry{e}} }
	for _, test := range []struct {
		name string
		file knowledge.File
		want string
	}{
		{"nothing", knowledge.File{}, "there is nothing to write; add statements"},
		{"no statement", one(knowledge.Entry{Source: "a"}), "statement 1: there is no statement"},
		{"formula", one(knowledge.Entry{Statement: constraint.Formula{Text: "the odds double"}}),
			`statement 1: "the odds double" is Go code and cannot be in a file; add it in the program`},
		{"of its own", one(knowledge.Entry{Statement: stranger{}}),
			"a statement of type knowledge_test.stranger cannot be in a file"},
		{"nil pointer", one(knowledge.Entry{Statement: (*constraint.Fixed)(nil)}), "there is no statement"},
		{"no number", one(knowledge.Entry{Statement: constraint.AtMost{Var: "a", States: []string{"x"},
			P: math.NaN()}}), "NaN is no number of a file"},
		{"sign", one(knowledge.Entry{Statement: constraint.Influence{Parent: "a", Child: "b", Sign: 7}}), "sign 7"},
		{"relation", one(knowledge.Entry{Statement: constraint.LinearSum{Terms: []constraint.Term{{}}, Relation: -1}}),
			"unknown relation -1"},
		{"not UTF-8", one(knowledge.Entry{Statement: influence, Source: "\xff"}), "is not UTF-8 text"},
		{"variable", knowledge.File{Variables: []knowledge.Variable{{Name: "a"}}}, `"a" has no states`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "k.yaml")
			err := test.file.Write(path)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Write = %v, want %q", err, test.want)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("an error left a file")
			}
		})
	}
}

// A stranger is a statement of another package.
type stranger struct{}

func (stranger) String() string                               { return "strange" }
func (stranger) Bind(*bn.Network) ([]constraint.Bound, error) { return nil, nil }

// A file that is made in a program may declare a variable twice, which would not be read back.
func TestDeclaredTwice(t *testing.T) {
	v := knowledge.Variable{Name: "age", States: []string{"young", "old"}}
	k := &knowledge.File{Model: "[age]", Variables: []knowledge.Variable{v, v}}
	_, err := k.Network()
	_, err2 := k.Marshal()
	for _, err := range []error{err, err2} {
		if !errors.Is(err, bn.ErrDuplicate) || !strings.Contains(err.Error(), `"age"`) {
			t.Errorf("error %v, want one that names the variable", err)
		}
	}
}
