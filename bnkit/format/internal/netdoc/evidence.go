package netdoc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// ReadEvidence reads a file of evidence of the UAI competitions (.evid) about the network: for each case how many
// variables were seen, then the number of each and that of its state, both counted from 0, in the order of the network.
// When there are several cases, or in the style of 2010, their number stands before them in a line of its own.
//
//	2
//	2 0 1 3 0      # variable 0 in state 1, variable 3 in state 0
//	1 2 1
//
// An error is a *format.SyntaxError.
func (f *File) ReadEvidence(path string) ([]bn.Given, error) {
	if f == nil || f.Network == nil {
		return nil, say.Errorf("evidence %s: there is no network that it is about", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("evidence: %w", err)
	}
	defer file.Close()
	src, err := ReadAll(file, 0, 0)
	if err != nil {
		return nil, say.Errorf("evidence %s: %w", path, err)
	}
	cases, err := f.evidence(src)
	textpos.Name(err, path)
	return cases, err
}

// evidence reads evidence from a text.
func (f *File) evidence(src []byte) ([]bn.Given, error) {
	text, err := NewText("evidence", src)
	if err != nil {
		return nil, err
	}
	// The number of cases is optional. It stands in a line of its own, and each case in one; where lines do not
	// tell, what can be read does.
	var lines [][]string
	for line := range bytes.Lines(text.Src) {
		before, _, _ := bytes.Cut(line, []byte("#"))
		if words := strings.Fields(string(before)); len(words) > 0 && len(lines) < 2 {
			lines = append(lines, words)
		} else if len(words) > 0 {
			lines = append(lines, nil)
		}
	}
	alone := len(lines) > 1 && len(lines[0]) == 1
	several := alone && lines[0][0] == strconv.Itoa(len(lines)-1)
	cases, err := f.cases(text, several)
	if err != nil && (alone || len(lines) > 0 && lines[0][0] == "1") { // 1 may be one case or one variable
		if other, also := f.cases(text, !several); also == nil {
			return other, nil
		}
	}
	return cases, err
}

// cases reads one case, or several after their number.
func (f *File) cases(text Text, several bool) ([]bn.Given, error) {
	w := Words{Text: text}
	count := 1
	if several {
		var err error
		if count, err = w.Count("the number of cases"); err != nil {
			return nil, err
		}
	}
	cases := []bn.Given{}
	for range count {
		seen, err := w.Count("how many variables were seen")
		if err != nil {
			return nil, err
		}
		e := make(bn.Given, seen)
		for range seen {
			at := w.Peek().At
			v, err := w.Number(0, f.Network.Len()-1, "the number of a variable")
			if err != nil {
				return nil, err
			}
			variable := f.Network.Variable(v)
			if !variable.IsDiscrete() {
				return nil, w.ErrorAt(at, "variable %d, %q: %w", v, say.Short(variable.Name), bn.ErrNotDiscrete)
			}
			s, err := w.Number(0, variable.Cardinality()-1, fmt.Sprintf("the number of a state of variable %d", v))
			if err != nil {
				return nil, err
			}
			if _, ok := e[variable.Name]; ok {
				return nil, w.ErrorAt(at, "%w: variable %d in one case", bn.ErrDuplicate, v)
			}
			e[variable.Name] = variable.States[s]
		}
		cases = append(cases, e)
	}
	if rest := w.Next(); rest.Name != "" {
		return nil, w.ErrorAt(rest.At, "found %q after the last case", say.Short(rest.Name))
	}
	return cases, nil
}

// WriteEvidence writes evidence about the network for the UAI competitions, as [File.ReadEvidence] reads it. It
// returns an error for a variable or a state that is not of the network. The file is afterwards either complete or as
// it was before.
func (f *File) WriteEvidence(path string, cases []bn.Given) error {
	if f == nil || f.Network == nil {
		return say.Errorf("evidence %s: there is no network that it is about", path)
	}
	err := atomicfile.Write(path, func(out io.Writer) error { return f.writeEvidence(out, cases) })
	if err != nil {
		return say.Errorf("evidence: %w", err)
	}
	return nil
}

func (f *File) writeEvidence(out io.Writer, cases []bn.Given) error {
	b := bufio.NewWriter(out)
	if len(cases) != 1 {
		fmt.Fprintln(b, len(cases))
	}
	for _, e := range cases {
		for name := range e {
			if _, err := f.Network.Index(name); err != nil {
				return err
			}
		}
		fmt.Fprint(b, len(e))
		for v := range f.Network.Len() {
			variable := f.Network.Variable(v)
			state, ok := e[variable.Name]
			if !ok {
				continue
			}
			s, err := variable.StateIndex(state)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, " %d %d", v, s)
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}
