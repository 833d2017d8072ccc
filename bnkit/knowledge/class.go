package knowledge

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A class is a type of statement that files hold, and its key there, under which
// [constraint.Marshal] stores it too.
type class struct {
	key string
	of  reflect.Type
}

// classes lists them all. A [constraint.Formula] is Go code, and has no place in a file.
func classes() []class {
	return []class{
		{"fixed", reflect.TypeFor[constraint.Fixed]()},
		{"share-states", reflect.TypeFor[constraint.ShareStates]()},
		{"proportional", reflect.TypeFor[constraint.Proportional]()},
		{"share-sums", reflect.TypeFor[constraint.ShareSums]()},
		{"share-ratios", reflect.TypeFor[constraint.ShareRatios]()},
		{"share-across", reflect.TypeFor[constraint.ShareAcross]()},
		{"share-cells", reflect.TypeFor[constraint.ShareCells]()},
		{"share-tables", reflect.TypeFor[constraint.ShareTables]()},
		{"share-hierarchy", reflect.TypeFor[constraint.ShareHierarchy]()},
		{"share-sums-across", reflect.TypeFor[constraint.ShareSumsAcross]()},
		{"share-ratios-across", reflect.TypeFor[constraint.ShareRatiosAcross]()},
		{"order-sums", reflect.TypeFor[constraint.OrderSums]()},
		{"at-most", reflect.TypeFor[constraint.AtMost]()},
		{"at-least", reflect.TypeFor[constraint.AtLeast]()},
		{"between", reflect.TypeFor[constraint.Between]()},
		{"linear-sum", reflect.TypeFor[constraint.LinearSum]()},
		{"influence", reflect.TypeFor[constraint.Influence]()},
		{"synergy", reflect.TypeFor[constraint.Synergy]()},
		{"noisy-or", reflect.TypeFor[constraint.NoisyOR]()},
		{"noisy-max", reflect.TypeFor[constraint.NoisyMAX]()},
		{"share-weights", reflect.TypeFor[constraint.ShareWeights]()},
		{"proportional-weights", reflect.TypeFor[constraint.ProportionalWeights]()},
		{"share-weights-across", reflect.TypeFor[constraint.ShareWeightsAcross]()},
		{"sign-weights", reflect.TypeFor[constraint.SignWeights]()},
		{"bound-weights", reflect.TypeFor[constraint.BoundWeights]()},
	}
}

// bare is a statement without its price, if it has one: files have it beside the statement.
func bare(s constraint.Constraint) (said constraint.Constraint, price float64, isPriced bool) {
	switch s := s.(type) {
	case constraint.AtPrice:
		return s.Statement, s.Price, true
	case *constraint.AtPrice:
		if s != nil {
			return s.Statement, s.Price, true
		}
	}
	return s, 0, false
}

// isNil reports whether there is no statement, or a nil pointer to one.
func isNil(s constraint.Constraint) bool {
	v := reflect.ValueOf(s)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// classOf finds the class of a statement, which is not nil.
func classOf(s constraint.Constraint) (class, bool) {
	at := reflect.Indirect(reflect.ValueOf(s))
	for _, c := range classes() {
		if at.Type() == c.of {
			return c, true
		}
	}
	return class{}, false
}

// A field is a part of a struct that stands in files.
type field struct {
	key      string
	index    []int
	optional bool
}

// fieldsOf lists the fields of a struct in their order, those of an embedded one among them.
// What JSON leaves out when empty is optional, and so is what is true or false.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		optional := strings.Contains(tag, ",omit") || f.Type.Kind() == reflect.Bool
		list = append(list, field{keyOf(f), f.Index, optional})
	}
	return list
}

// keyOf is the name of a field in files.
func keyOf(f reflect.StructField) string {
	switch {
	case f.Name == "Var" || f.Name == "Vars":
		return "of"
	case f.Type == reflect.TypeFor[[]bn.Given]():
		return "wherever"
	case f.Name == "Model":
		return "network"
	case f.Type == reflect.TypeFor[[]Entry]():
		return "statements"
	}
	var key []rune
	for i, r := range f.Name {
		if i > 0 && unicode.IsUpper(r) {
			key = append(key, '-')
		}
		key = append(key, unicode.ToLower(r))
	}
	return string(key)
}

// relations are the words for those of a linear sum, by their numbers.
func relations() []string { return []string{"equal", "at most", "at least"} }

// keys lists the names of fields, for an error.
func keys(fields []field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.key
	}
	return slices.Clip(list)
}
