package bn

import (
	"bnlab/internal/num"
	"bnlab/internal/say"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// parseCPT reads the table of child given parents from text as a person types
// it. The first line names the parents, a bar, and the states of the child; each
// further line gives a parent configuration, a bar, and the probabilities. Words
// are separated by spaces; a name with spaces is put in double quotes, written as a
// Go string. Lines, parents and states may stand in any order, and the star stands
// for every state of a parent that no line above has set. Empty lines are skipped,
// and so are comments, from a word that begins with # to the end of the line.
//
//	bronc either | no   yes
//	no    no     | 0.9  0.1
//	no    yes    | 0.3  0.7
//	yes   *      | 0.1  0.9
//
// A variable without parents has a header of states and one line of numbers,
// with or without the bar.
//
// Errors name the line, the configuration and the value: a parent or state that
// is unknown or missing, a configuration set twice or not at all, a value that
// is no probability, a row that does not sum to 1. A row that is off by the rounding of its digits is
// divided by its sum; see [CPT.Unround].
func parseCPT(text string, child Variable, parents ...Variable) (*CPT, error) {
	t, err := NewCPT(child, parents...)
	if err != nil {
		return nil, err
	}
	p := tableParser{table: t, set: make([]bool, t.configs.Len())}
	for i, line := range strings.Split(text, "\n") {
		if err := p.line(line); err != nil {
			return nil, say.Errorf("bn: table of %q, line %d: %w", child.Name, i+1, err)
		}
	}
	if p.states == nil {
		return nil,
			say.Errorf("bn: the table of %q is empty; write a header and a row for each configuration, as in %q",
				child.Name, p.example())
	}
	for config, ok := range p.set {
		if !ok {
			return nil, say.Errorf("bn: the table of %q has no row for %s", child.Name, t.describe(config))
		}
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return t, nil
}

type tableParser struct {
	table  *CPT
	order  []int // parents in the order of the header
	states []int // child states in the order of the header, nil before it
	set    []bool
}

func (p *tableParser) line(line string) error {
	given, values, hasBar, err := fields(line)
	if err != nil || len(given)+len(values) == 0 && !hasBar {
		return err
	}
	if !hasBar && len(p.table.Parents) > 0 {
		return say.Errorf("no bar between the parents and the states, as in %q", p.example())
	}
	if p.states == nil {
		return p.header(texts(given), texts(values))
	}
	return p.row(given, values)
}

func (p *tableParser) header(parents, states []string) error {
	t := p.table
	if len(parents) != len(t.Parents) {
		return say.Errorf("the header names %d parents, %q has %d; write %q", len(parents), t.Child.Name,
			len(t.Parents), p.example())
	}
	used := make([]bool, len(t.Parents))
	for _, name := range parents {
		at := slices.IndexFunc(t.Parents, func(v Variable) bool { return v.Name == name })
		if at < 0 {
			return say.Errorf("%w %q among the parents of %q; write %q", ErrUnknownVariable, name, t.Child.Name,
				p.example())
		}
		if used[at] {
			return say.Errorf("%w: parent %q", ErrDuplicate, name)
		}
		used[at] = true
		p.order = append(p.order, at)
	}
	if len(states) != t.Child.Cardinality() {
		return say.Errorf("the header names %d states, %q has %d; write %q", len(states), t.Child.Name,
			t.Child.Cardinality(), p.example())
	}
	seen := make([]bool, len(states))
	p.states = make([]int, len(states))
	for i, name := range states {
		s, err := t.Child.state(name)
		if err != nil {
			return err
		}
		if seen[s] {
			return say.Errorf("%w: state %q", ErrDuplicate, name)
		}
		seen[s] = true
		p.states[i] = s
	}
	return nil
}

func (p *tableParser) row(given, values []word) error {
	t := p.table
	if len(given) != len(p.order) {
		return fmt.Errorf("%d parent states for %d parents", len(given), len(p.order))
	}
	if len(values) != len(p.states) {
		return fmt.Errorf("%d probabilities for %d states", len(values), len(p.states))
	}
	row, err := p.numbers(values)
	if err != nil {
		return err
	}
	want := make([]int, len(t.Parents))
	star := false
	for i, w := range given {
		if w.isStar() {
			want[p.order[i]], star = -1, true
			continue
		}
		s, err := t.Parents[p.order[i]].state(w.text)
		if err != nil {
			return err
		}
		want[p.order[i]] = s
	}
	if !star {
		config := t.configs.Index(want)
		if p.set[config] {
			return say.Errorf("the row for %s occurs twice", t.describe(config))
		}
		p.set[config] = true
		copy(t.Row(config), row)
		return nil
	}
	states := make([]int, len(t.Parents))
	for config, ok := range p.set {
		if !ok && matches(t.configs.States(states, config), want) {
			p.set[config] = true
			copy(t.Row(config), row)
		}
	}
	return nil
}

// numbers returns the probabilities of a line in the order of the child's states.
func (p *tableParser) numbers(values []word) ([]float64, error) {
	row := make([]float64, len(values))
	for i, w := range values {
		x, err := strconv.ParseFloat(w.text, 64)
		if err != nil || !num.NearProbability(x) {
			return nil, say.Errorf("%q is not a probability", w.text)
		}
		row[p.states[i]] = x
	}
	if _, ok := num.Unround(row); !ok {
		return nil, say.Errorf("the probabilities sum to %v, not 1", num.Sum(row))
	}
	return row, nil
}

func matches(states, want []int) bool {
	for i, w := range want {
		if w >= 0 && states[i] != w {
			return false
		}
	}
	return true
}

// example is the header that would be right.
func (p *tableParser) example() string {
	head, _, _ := strings.Cut(p.table.String(), "\n")
	return strings.Join(strings.Fields(head), " ")
}

// A word of a line; in quotes it is always a name.
type word struct {
	text   string
	quoted bool
}

func (w word) isStar() bool { return w.text == "*" && !w.quoted }

func texts(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// fields splits a line into the words before and after the bar. Double quotes
// keep a name together; # at the start of a word begins a comment.
func fields(s string) (left, right []word, hasBar bool, err error) {
	var out []word
	for s = strings.TrimSpace(s); s != "" && s[0] != '#'; s = strings.TrimSpace(s) {
		switch {
		case s[0] == '|' && !hasBar:
			left, out, hasBar, s = out, nil, true, s[1:]
		case s[0] == '|':
			return nil, nil, false, fmt.Errorf("a second bar")
		case s[0] == '"':
			quoted, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, nil, false, say.Errorf("a double quote is not closed, or a backslash not doubled, in %s", s)
			}
			name, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, nil, false, say.Errorf("%s: %w", quoted, err)
			}
			out, s = append(out, word{name, true}), s[len(quoted):]
		default:
			end := strings.IndexAny(s, " \t\r|")
			if end < 0 {
				end = len(s)
			}
			out, s = append(out, word{s[:end], false}), s[end:]
		}
	}
	return left, out, hasBar, nil
}

// String prints the table as text that [parseCPT] reads, all digits kept.
func (t *CPT) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	cell := func(s string) { fmt.Fprint(w, s, "\t") }
	for _, p := range t.Parents {
		cell(quote(p.Name))
	}
	cell("|")
	for i, s := range t.Child.States {
		w.Write([]byte(quote(s)))
		end(w, i, len(t.Child.States))
	}
	for config := range t.configs.Len() {
		for _, s := range t.ConfigNames(config) {
			cell(quote(s))
		}
		cell("|")
		row := t.Row(config)
		for i, x := range row {
			w.Write(strconv.AppendFloat(nil, x, 'g', -1, 64))
			end(w, i, len(row))
		}
	}
	w.Flush()
	return b.String()
}

// end closes cell i of n: the last one ends the line and takes no padding.
func end(w *tabwriter.Writer, i, n int) {
	if i+1 < n {
		w.Write([]byte{'\t'})
	} else {
		w.Write([]byte{'\n'})
	}
}

// quote puts a name in double quotes when it could not be read back otherwise.
func quote(name string) string {
	odd := func(r rune) bool {
		return strings.ContainsRune("|#\"", r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}
	if name == "*" || strings.ContainsFunc(name, odd) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}
