package knowledge_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
)

// sameFile compares what files say, not where they say it.
var sameFile = cmpopts.IgnoreUnexported(knowledge.File{}, knowledge.Entry{}, knowledge.Variable{})

// TestRoundTrip writes statements of all classes with random names and numbers, and reads
// them back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &knowledge.File{Title: text(t)}
		for _, e := range everyClass() {
			at := reflect.New(reflect.TypeOf(e)).Elem()
			random(t, at, true)
			k.Entries = append(k.Entries, knowledge.Entry{
				Statement: at.Interface().(constraint.Constraint),
				Source:    text(t), Mark: text(t),
			})
			last := &k.Entries[len(k.Entries)-1]
			last.Strength = rapid.SampledFrom([]float64{0, 1}).Draw(t, "strength")
			if canDoubt(last.Statement) {
				last.Strength = rapid.OneOf(rapid.SampledFrom([]float64{0, 0.5, 0.8, 0.95, 1}),
					rapid.Float64Range(1e-9, 1)).Draw(t, "strength")
			}
		}
		k.Variables = []knowledge.Variable{
			{Name: text(t) + "a", States: []string{text(t) + "b"}, Column: text(t),
				Nominal: rapid.Bool().Draw(t, "nominal")},
			{Name: text(t) + "c", Continuous: true},
			{Name: text(t) + "d", States: []string{"x", "y"}, From: []float64{number(t)}},
			{Name: text(t) + "e", States: []string{"x", "y"}, Above: []float64{number(t)}},
			{Name: text(t) + "f", States: []string{"x", "y"}, Hidden: true},
			{Name: text(t) + "g", States: []string{"x", "y"}, Values: map[string][]string{"y": {text(t)}},
				Otherwise: "x"},
		}
		b, err := k.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := knowledge.Parse("k.yaml", b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		if diff := cmp.Diff(k, back, sameFile); diff != "" {
			t.Fatalf("written and read back (-written +read):\n%s\n%s", diff, b)
		}
	})
}

// random fills a value: required fields with something, others perhaps.
func random(t *rapid.T, v reflect.Value, required bool) {
	if !required && rapid.Bool().Draw(t, "left out") {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text(t))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float64:
		v.SetFloat(number(t))
	case reflect.Int: // a sign or a relation
		v.SetInt(int64(rapid.IntRange(0, 1).Draw(t, "int")))
	case reflect.Slice:
		least := 0
		if required {
			least = 1
		}
		n := rapid.IntRange(least, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			random(t, v.Index(i), true)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		random(t, v.Elem(), true)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			value := reflect.New(v.Type().Elem()).Elem()
			random(t, value, true)
			v.SetMapIndex(reflect.ValueOf(text(t)), value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			optional := v.Type().Field(i).Tag.Get("json") != ""
			random(t, v.Field(i), !optional)
		}
	}
}

// text is any text, often with what YAML reads something into.
func text(t *rapid.T) string {
	awkward := rapid.SampledFrom([]string{
		"", "yes", "no", "null", "~", "true", "False", "1", "1.50", "0x1F", "1e5", "-3", ".inf", ".nan", "2020-01-01",
		"12:30",
		"a: b", "a:", "- a", "-", "a #b", "#b", "{a}", "[a]", "a, b", "a]", "}", "*a", "&a", "!a", "%a", "@a", "`a",
		"|", ">", "<=2", ">50K",
		"? a", "a ?", "<<", "=", "'", "\"", "it's", "\\", "\\n", "a\nb", "\n", "a\r\nb", "\t", " a", "a ", "a  b",
		"\x00", "\x7f", "\u0085", "\u2028",
		"\ufeff", "50 and over", "§5", "Ä", "日本", "🙂", "a - b", "a -b", "---", "...", "10-14", "5more", "(intercept)",
		"a.b", "y", "n",
	})
	valid := rapid.String().Filter(utf8.ValidString)
	return rapid.OneOf(awkward, valid).Draw(t, "text")
}

func number(t *rapid.T) float64 {
	x := rapid.Float64().Draw(t, "number")
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0.25
	}
	return x
}

// TestMarshalRefuses: what would not be read is not written.
func TestMarshalRefuses(t *testing.T) {
	declared := func(names ...string) (list []knowledge.Variable) {
		for _, name := range names {
			list = append(list, knowledge.Variable{Name: name, States: []string{"no", "yes"}})
		}
		return list
	}
	for name, test := range map[string]struct {
		file knowledge.File
		says string
	}{
		"a name that a model string cannot hold": {knowledge.File{Model: "[a]b]", Variables: declared("a]b")}, "position 4"},
		"a space that it does not keep":          {knowledge.File{Model: "[a ]", Variables: declared("a ")}, "not declared"},
		"a variable without a place":             {knowledge.File{Model: "[a]", Variables: declared("a", "b")}, "no place"},
		"a cycle":                                {knowledge.File{Model: "[a|b][b|a]", Variables: declared("a", "b")}, "cycle"},
		"more than a megabyte": {knowledge.File{Title: strings.Repeat("x", 1<<20), Variables: declared("a")},
			"1048576 at most"},
	} {
		if b, err := test.file.Marshal(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %.200s, error %v, want one with %q", name, b, err, test.says)
		}
	}
	// Statements alone, and a structure alone whose variables come from elsewhere, may stand in a file.
	if _, err := (&knowledge.File{Model: "[a][b|a]"}).Marshal(); err != nil {
		t.Error(err)
	}
}
