package knowledge

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// flow prints a value on one line, as in "{parent: age, sign: positive}".
func flow(v reflect.Value) (string, error) {
	if r, ok := v.Interface().(constraint.Relation); ok {
		if r < 0 || int(r) >= len(relations()) {
			return "", fmt.Errorf("unknown relation %d", int(r))
		}
		return relations()[r], nil
	}
	if t, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := t.MarshalText()
		return string(text), err
	}
	var parts []string
	switch v.Kind() {
	case reflect.Pointer:
		return flow(v.Elem())
	case reflect.String:
		return quoted(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return "", say.Errorf("%v is no number of a file; give a finite one", x)
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
		for _, key := range keysOf(v) {
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

// keysOf lists the names in a map, sorted.
func keysOf(v reflect.Value) []string {
	list := make([]string, 0, v.Len())
	for _, key := range v.MapKeys() {
		list = append(list, key.String())
	}
	slices.Sort(list)
	return list
}

// quoted prints text as a scalar: as it is where it is read back so, in double quotes
// otherwise. Words such as yes, which were no text before YAML 1.2, stay without quotes.
func quoted(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", say.Errorf("%q is not UTF-8 text", text)
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
