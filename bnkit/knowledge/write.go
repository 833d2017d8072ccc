package knowledge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"

	"bnlab/bnkit/constraint"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// Write writes a knowledge file, which [Read] reads back the same. If writing fails the file is
// unchanged. Errors are those of [File.Marshal].
func (k *File) Write(path string) error {
	b, err := k.Marshal()
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return say.Errorf("knowledge: %w", err)
	}
	return nil
}

// Marshal returns what [File.Write] writes: a line for each variable and statement, and for
// each source, mark and strength. Comments of a file that was read are lost. It returns an
// error for a [constraint.Formula], which is Go code, for statements of types that package
// constraint does not have, for numbers and text that YAML does not have, and for what [Read] refuses: names that a
// model string cannot hold, variables without a place in it, and more than a megabyte.
func (k *File) Marshal() ([]byte, error) {
	if err := k.checkNetwork(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := k.header(&b); err != nil {
		return nil, k.fail(place{}, 0, err)
	}
	if k.Entries != nil {
		b.WriteString("statements:")
		if len(k.Entries) == 0 {
			b.WriteString(" []")
		}
		b.WriteString("\n")
	}
	for i, e := range k.Entries {
		if err := e.write(&b); err != nil {
			return nil, k.fail(e.at, i+1, err)
		}
	}
	switch {
	case b.Len() == 0:
		return nil, k.fail(place{}, 0, errors.New("there is nothing to write; add statements"))
	case b.Len() > maxBytes:
		return nil, k.fail(place{}, 0, errTooLong(b.Len()))
	}
	return b.Bytes(), nil
}

// header writes all but the statements.
func (k *File) header(b *bytes.Buffer) error {
	for _, line := range []struct{ key, text string }{{"title", k.Title}, {"network", k.Model}} {
		if line.text == "" {
			continue
		}
		text, err := quoted(line.text)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s: %s\n", line.key, text)
	}
	if k.Variables == nil {
		return nil
	}
	b.WriteString("variables:")
	if len(k.Variables) == 0 {
		b.WriteString(" []")
	}
	b.WriteString("\n")
	for _, v := range k.Variables {
		if err := v.Validate(); err != nil {
			return err
		}
		text, err := flow(reflect.ValueOf(v))
		if err != nil {
			return say.Errorf("the variable %q: %w", v.Name, err)
		}
		fmt.Fprintf(b, "  - %s\n", text)
	}
	return nil
}

// write writes an entry of the list of statements.
func (e Entry) write(b *bytes.Buffer) error {
	if e.isEmpty() {
		return errors.New("there is no statement; leave the entry out")
	}
	said, price, isPriced := bare(e.Statement)
	c, ok := classOf(said)
	if !ok {
		switch s := said.(type) {
		case constraint.Formula, *constraint.Formula:
			return say.Errorf("%q is Go code and cannot be in a file; add it in the program", s)
		}
		return fmt.Errorf("a statement of type %T cannot be in a file; use one of package constraint", said)
	}
	text, err := flow(reflect.Indirect(reflect.ValueOf(said)))
	if err != nil {
		return say.Errorf("%q: %w", e.Statement, err)
	}
	fmt.Fprintf(b, "  - %s: %s\n", c.key, text)
	for _, line := range []struct{ key, text string }{{"source", e.Source}, {"mark", e.Mark}} {
		if line.text == "" {
			continue
		}
		if text, err = quoted(line.text); err != nil {
			return err
		}
		fmt.Fprintf(b, "    %s: %s\n", line.key, text)
	}
	if err := e.checkStrength(); err != nil {
		return err
	}
	if isPriced {
		if !(price > 0) || math.IsInf(price, 1) {
			return say.Errorf("%q: the price is %v; give a positive number", e.Statement, price)
		}
		fmt.Fprintf(b, "    price: %s\n", strconv.FormatFloat(price, 'g', -1, 64))
	}
	if e.Strength != 0 {
		fmt.Fprintf(b, "    strength: %s\n", strengthText(e.Strength))
	}
	return nil
}
