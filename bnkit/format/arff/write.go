package arff

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/data"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// Write writes the table to a file: discrete variables as nominal attributes with their states in order,
// continuous ones as numeric, missing cells as ?, weights in braces after the rows. [Read]
// reads it back the same, every number bit for bit. It returns an error, before it writes
// anything, for a name that is not UTF-8 or has a character that no quotes can hold. An error leaves
// the file as it was.
func Write(path string, t *data.Table) error {
	if err := atomicfile.Write(path, func(w io.Writer) error { return write(w, t) }); err != nil {
		return say.Errorf("arff: %w", err)
	}
	return nil
}

func write(w io.Writer, t *data.Table) error {
	if t == nil {
		return fmt.Errorf("arff: there is no table to write")
	}
	cols := t.Columns()
	cells := make([][]string, len(cols)) // by state
	for i, c := range cols {
		for _, name := range append([]string{c.Var.Name}, c.Var.States...) {
			if !utf8.ValidString(name) {
				return say.Errorf("arff: column %q: the name %q is %w", c.Var.Name, name, data.ErrEncoding)
			}
		}
		for _, s := range c.Var.States {
			cells[i] = append(cells[i], quote(s))
		}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	b.WriteString("@relation cases\n\n")
	for i, c := range cols {
		kind := "numeric"
		if c.Var.IsDiscrete() {
			kind = "{" + strings.Join(cells[i], ",") + "}"
		}
		fmt.Fprintf(b, "@attribute %s %s\n", quote(c.Var.Name), kind)
	}
	b.WriteString("\n@data\n")
	var line []byte
	for row := range t.Rows() {
		line = line[:0]
		for i, c := range cols {
			if i > 0 {
				line = append(line, ',')
			}
			switch {
			case c.IsMissing(row):
				line = append(line, '?')
			case c.Var.IsDiscrete():
				line = append(line, cells[i][c.States[row]]...)
			default:
				line = strconv.AppendFloat(line, c.Values[row], 'g', -1, 64)
			}
		}
		if w := t.Weights(); w != nil {
			line = append(line, ",{"...)
			line = strconv.AppendFloat(line, w[row], 'g', -1, 64)
			line = append(line, '}')
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return say.Errorf("arff: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return say.Errorf("arff: %w", err)
	}
	return nil
}

// quote puts a name in quotes where it needs them: around signs of the format and white space,
// a question mark, and what begins like a keyword.
func quote(s string) string {
	special := strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune("{},'\"%\\?", r) })
	if s != "" && !special && s[0] != '@' {
		return s
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + "'"
}
