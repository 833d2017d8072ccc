// Package notnull refuses a null in JSON where package json would leave a zero in silence.
package notnull

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"bnlab/internal/say"
)

// Check returns an error for a null where v, of the type that b is read into, holds a number, a text or a truth value.
// Pointers, lists and maps may be null, which is how package json writes those that are nil; types that read themselves
// say what null means.
func Check(b []byte, v any) error {
	if !bytes.Contains(b, []byte("null")) {
		return nil
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		return err
	}
	return in(tree, reflect.TypeOf(v), "it")
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func in(tree any, t reflect.Type, where string) error {
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch k := t.Kind(); {
	case k == reflect.Pointer:
		if tree == nil {
			return nil
		}
		return in(tree, t.Elem(), where)
	case tree == nil && (k == reflect.String || k >= reflect.Bool && k <= reflect.Float64):
		return say.Errorf("%s: null stands where a %s is wanted", where, word(k))
	case k == reflect.Slice || k == reflect.Array:
		list, _ := tree.([]any)
		for _, x := range list {
			if err := in(x, t.Elem(), where); err != nil {
				return err
			}
		}
	case k == reflect.Map:
		fields, _ := tree.(map[string]any)
		for _, x := range fields {
			if err := in(x, t.Elem(), where); err != nil {
				return err
			}
		}
	case k == reflect.Struct:
		fields, _ := tree.(map[string]any)
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if x, ok := fields[name]; ok && name != "-" {
				if err := in(x, f.Type, name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func word(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "truth value"
	}
	return "number"
}
