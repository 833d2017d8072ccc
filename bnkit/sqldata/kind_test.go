package sqldata

import "testing"

// Names of types as drivers give them.
func TestKindsOfTypes(t *testing.T) {
	for name, want := range map[string]kind{
		"": text, "TEXT": text, "varchar(8)": text, "BPCHAR": text, "ENUM": text,
		"LowCardinality(Nullable(String))": text, "Enum8('a' = 1)": text,
		"INT4": whole, "Nullable(Int32)": whole, "UInt8": whole, "HUGEINT": whole, "serial": whole, "UBIGINT": whole,
		"FLOAT8": number, "DOUBLE PRECISION": number, "DECIMAL(4,2)": number, "Nullable(Float64)": number,
		"BOOLEAN": truth, "bool": truth,
		"DATE": day, "Date32": day, "Nullable(DateTime64(3))": moment, "TIMESTAMP WITH TIME ZONE": moment,
		"TIMESTAMP_NS": moment, "TIME": other, "TIMETZ": other, "DATERANGE": other, "INTERVAL": other,
		"_INT4": other, "INTEGER[]": other,
		"MAP(VARCHAR, INTEGER)": other, "JSONB": other, "BYTEA": other, "UUID": other, "POINT": other,
		"UHUGEINT": other, "BIGNUM": other, // DuckDB has them, its driver not
	} {
		if got := kindOf(name); got != want {
			t.Errorf("%q is of kind %d, want %d", name, got, want)
		}
	}
}
