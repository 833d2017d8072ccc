// Package notnull refuses a null in JSON where package json would leave a zero in silence.
package notnull

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// Unmarshal is that of package json, with the error of Check.
func Unmarshal(b []byte, v any) error {
	if err := json.Unmarshal(b, v); err != nil {
		return err
	}
	return Check(b, v)
}

// Check returns an error for a null where what v points to, which b is read into, holds a number, a text, a truth value
// or a struct. It says where, as in Voxels[2].Weights[0]. Pointers, lists and maps may be null, which is how package
// json writes those that are nil; types that read themselves say what null means.
func Check(b []byte, v any) error {
	if !bytes.Contains(b, []byte("null")) {
		return nil
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		return err
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return in(tree, t, "")
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
	case tree == nil && (k == reflect.String || k == reflect.Struct || k >= reflect.Bool && k <= reflect.Float64):
		if where == "" {
			where = "it"
		}
		return say.Errorf("%s: null stands where a %s is wanted", where, word(k))
	case k == reflect.Slice || k == reflect.Array:
		list, _ := tree.([]any)
		for i, x := range list {
			if err := in(x, t.Elem(), fmt.Sprintf("%s[%d]", where, i)); err != nil {
				return err
			}
		}
	case k == reflect.Map:
		fields, _ := tree.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if err := in(fields[key], t.Elem(), fmt.Sprintf("%s[%q]", where, key)); err != nil {
				return err
			}
		}
	case k == reflect.Struct:
		fields, _ := tree.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			f, ok := field(t, key)
			if !ok {
				continue
			}
			at := key
			if where != "" {
				at = where + "." + key
			}
			if err := in(fields[key], f.Type, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// field finds what package json fills from a key: the field of that name, in capitals or not.
func field(t reflect.Type, key string) (reflect.StructField, bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if name != "-" && !f.Anonymous && f.IsExported() && same(name, key) {
				return f, true
			}
		}
	}
	return reflect.StructField{}, false
}

func word(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "truth value"
	case reflect.Struct:
		return "record"
	}
	return "number"
}
