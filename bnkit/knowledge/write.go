package knowledge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/internal/atomicfile"
)

// Write writes a knowledge file, which [Read] reads back the same. A failure leaves what
// was there before. Errors are those of [File.Marshal].
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
		return fmt.Errorf("knowledge: %w", err)
	}
	return nil
}

// Marshal returns what [File.Write] writes: a line for each variable and statement, and for
// each source, mark and strength. Comments of a file that was read are lost. It returns an
// error for a [constraint.Formula], which is Go code, for statements of types that package
// constraint does not have, and for numbers and text that YAML does not have.
func (k *File) Marshal() ([]byte, error) {
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
	if b.Len() == 0 {
		return nil, k.fail(place{}, 0, errors.New("there is nothing to write; add statements"))
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
		if err := v.validate(); err != nil {
			return err
		}
		text, err := flow(reflect.ValueOf(v))
		if err != nil {
			return fmt.Errorf("the variable %q: %w", v.Name, err)
		}
		fmt.Fprintf(b, "  - %s\n", text)
	}
	return nil
}

// write writes an entry of the list of statements.
func (e Entry) write(b *bytes.Buffer) error {
	c, ok := classOf(e.Statement)
	if !ok {
		switch s := e.Statement.(type) {
		case nil:
			return errors.New("there is no statement; leave the entry out")
		case constraint.Formula, *constraint.Formula:
			return fmt.Errorf("%q is Go code, and cannot stand in a file; add it to the statements in the program", s)
		}
		return fmt.Errorf("a statement of type %T cannot stand in a file; use one of package constraint", e.Statement)
	}
	text, err := flow(reflect.Indirect(reflect.ValueOf(e.Statement)))
	if err != nil {
		return fmt.Errorf("%q: %w", e.Statement, err)
	}
	fmt.Fprintf(b, "  - %s: %s\n", c.key, text)
	for _, line := range []struct{ key, text string }{{"source", e.Source}, {"mark", e.Mark}, {"strength", e.Strength}} {
		if line.text == "" {
			continue
		}
		if text, err = quoted(line.text); err != nil {
			return err
		}
		fmt.Fprintf(b, "    %s: %s\n", line.key, text)
	}
	return nil
}

// flow prints a value on one line, as in "{parent: age, sign: positive}".
func flow(v reflect.Value) (string, error) {
	if r, ok := v.Interface().(constraint.Relation); ok {
		if r < 0 || int(r) >= len(relations()) {
			return "", fmt.Errorf("unknown relation %d", int(r))
		}
		return relations()[r], nil
	}
	if t, ok := v.Interface().(interface{ MarshalText() ([]byte, error) }); ok {
		text, err := t.MarshalText()
		return string(text), err
	}
	var parts []string
	switch v.Kind() {
	case reflect.String:
		return quoted(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return "", fmt.Errorf("%v is no number of a file; give a finite one", x)
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), nil
	case reflect.Slice:
		for i := range v.Len() {
			text, err := flow(v.Index(i))
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case reflect.Map:
		for _, key := range slices.Sorted(maps.Keys(stringKeys(v))) {
			name, err := quoted(key)
			if err != nil {
				return "", err
			}
			text, err := flow(v.MapIndex(reflect.ValueOf(key)))
			if err != nil {
				return "", err
			}
			parts = append(parts, name+": "+text)
		}
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			value := v.FieldByIndex(f.index)
			if f.optional && value.IsZero() {
				continue
			}
			text, err := flow(value)
			if err != nil {
				return "", err
			}
			parts = append(parts, f.key+": "+text)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

func stringKeys(v reflect.Value) map[string]bool {
	keys := make(map[string]bool, v.Len())
	for _, key := range v.MapKeys() {
		keys[key.String()] = true
	}
	return keys
}

// quoted prints text as a scalar: as it is where every reader of YAML takes it for text or a
// whole number, in double quotes otherwise.
func quoted(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", fmt.Errorf("%q is not UTF-8 text", text)
	}
	switch strings.ToLower(text) {
	case "null", "true", "false":
	default:
		if plainText.MatchString(text) {
			return text, nil
		}
	}
	return strconv.Quote(text), nil
}

// plainText begins with a letter or digit and has no sign that YAML reads something into.
var plainText = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_.+§-]*( [\p{L}\p{N}_.+§-]+)*$`)
