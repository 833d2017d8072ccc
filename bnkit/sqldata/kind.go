package sqldata

import "strings"

// A kind is what the values of a column are.
type kind int

const (
	text   kind = iota // or a type that is not known
	whole              // numbers without fractions
	number             // other numbers
	truth              // true or false
	day                // a date
	moment             // a date and the time of the day
	other              // what cannot be a state, or what a driver cannot give
)

// isNumber reports whether values of the kind are numbers, or times as seconds, that can be cut and summed.
func (k kind) isNumber() bool { return k == whole || k == number || k == day || k == moment }

// kindOf reads the name that a driver gives of a type, such as VARCHAR(8), _INT4 or
// Nullable(Float64).
func kindOf(name string) kind {
	name = strings.ToUpper(name)
	for _, around := range []string{"LOWCARDINALITY(", "NULLABLE(", "UNSIGNED "} {
		name = strings.TrimPrefix(name, around)
	}
	has := func(starts ...string) bool {
		for _, s := range starts {
			if strings.HasPrefix(name, s) {
				return true
			}
		}
		return false
	}
	switch {
	case has("_", "ARRAY", "LIST", "MAP", "STRUCT", "ROW(", "TUPLE", "NESTED", "UNION", "JSON", "XML", "BYTEA", "BLOB",
		"VARBINARY", "BINARY", "BIT", "DATERANGE", "DATEMULTIRANGE", "INTERVAL", "TSVECTOR", "UUID", "GEO", "POINT",
		"UHUGEINT", "BIGNUM") || strings.HasSuffix(name, "]"):
		return other
	case has("TIMESTAMP", "DATETIME"):
		return moment
	case has("DATE"):
		return day
	case has("TIME"): // of the day
		return other
	case has("BOOL"):
		return truth
	case has("INT", "TINYINT", "SMALLINT", "BIGINT", "HUGEINT", "UINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
		"SERIAL") && !has("INTERVAL"):
		return whole
	case has("FLOAT", "DOUBLE", "REAL", "DECIMAL", "NUMERIC", "NUMBER"):
		return number
	}
	return text
}
