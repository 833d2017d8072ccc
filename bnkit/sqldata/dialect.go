package sqldata

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// A Dialect describes the SQL of a database. The six here are small values; that of another
// database is one of them with other fields.
type Dialect struct {
	Name string
	// Quote writes a name so that it means itself; nil doubles double quotes.
	Quote func(name string) string
	// Refused are characters that this database reads as others do not, such as a bracket around a name: a Query
	// may not have them outside quotes.
	Refused string
	// Numbered: placeholders stand for arguments by their numbers, as $1 and ?1 do, and not by
	// their places.
	Numbered bool
	// UnionAll joins one SELECT for each grouping by UNION ALL, where there is no GROUP BY
	// GROUPING SETS, which passes over the rows once.
	UnionAll bool
	// MaxSets bounds the groupings of one statement; 0 means 64, and 1 counts one by one.
	MaxSets int
	// MergeCells joins groupings to one over all their columns while that has at most so many
	// cells; the margins are summed here. 0 joins none. Each row is then grouped less often,
	// and more rows are fetched.
	MergeCells int
	// Text is an expression of a text by which texts are told apart byte by byte; nil where columns do so
	// themselves.
	Text func(expr string) string
	// occurring joins groupings, when a Preview told which cells occur, while at most so many do: for databases whose
	// groups cost by those that occur and not by those that may.
	occurring int
	// code is the number of a text among states, from 1 on, of type BIGINT: that of NULL follows theirs, and other
	// texts have 0 or NULL; nil where grouping by numbers takes no less time than by texts.
	code func(expr string, states []string) string
	// fence ends a subquery whose expressions are computed once, and not wherever they are used.
	fence string
	// Integer is the type of 64-bit whole numbers, to which a Key is cast; empty means BIGINT.
	Integer string
	// Double is the type of 64-bit floating-point numbers, which may be NULL.
	Double string
	// IsNaN is true of a floating-point expression that is NaN; nil where there is no NaN.
	IsNaN func(expr string) string
	// Seconds is an expression, of type Double, of the seconds since 1970-01-01 00:00 UTC of a date or timestamp; nil
	// refuses such columns.
	Seconds func(expr string) string
	// Random is an expression that is uniform in [0, 1), independently for each row.
	Random string
	// Sample is written after a table's name to read a random part of it, the same one for the
	// same seed; nil reads it all and draws by Random.
	Sample func(percent float64, seed uint64) string
	// ReadOnly runs each statement in a read-only transaction.
	ReadOnly bool
	// Begin is the statement that begins a read-only transaction, which ROLLBACK ends, where the
	// driver has none for ReadOnly; empty where there is neither.
	Begin string
	// Transient reports whether a statement that failed with err may succeed when it is sent
	// again; nil asks if the connection was lost.
	Transient func(err error) bool
}

// DuckDB is the dialect of DuckDB. On the network alarm, 37 variables, it counts as fast with
// groupings merged up to 2^12 cells as up to 2^14; 2^12 fetches fewer rows. Its statements run in
// read-only transactions (tried with DuckDB 1.4).
func DuckDB() Dialect {
	return Dialect{
		Name: "DuckDB", Numbered: true, MergeCells: 1 << 12, occurring: 1 << 13,
		Double: "DOUBLE", IsNaN: func(expr string) string { return "isnan(" + expr + ")" }, Random: "random()",
		Seconds: func(expr string) string { return "epoch(" + expr + ")" },
		Sample: func(percent float64, seed uint64) string {
			return fmt.Sprintf("TABLESAMPLE BERNOULLI (%s PERCENT) REPEATABLE (%d)", literal(percent), seed%(1<<31))
		},
		Begin: "BEGIN TRANSACTION READ ONLY",
		code:  duckdbCode,
	}
}

// duckdbCode looks a text up in a list, for columns of a Parquet file in the entries of its dictionary only.
func duckdbCode(expr string, states []string) string {
	var b strings.Builder
	b.WriteString("CAST(list_position([")
	for _, s := range states {
		b.WriteString("'" + strings.ReplaceAll(s, "'", "''") + "', ")
	}
	b.WriteString("NULL], CAST(" + expr + " AS VARCHAR)) AS BIGINT)")
	return b.String()
}

// PostgreSQL is the dialect of PostgreSQL. Its statements run in read-only transactions. Few
// groupings of few cells in a statement keep it from sorting the rows for each grouping, which
// takes ten times as long: their hash tables have to fit into its work_mem, 4 MB by default. It
// needs the statistics of ANALYZE to know that they do.
func PostgreSQL() Dialect {
	return Dialect{
		Name: "PostgreSQL", Numbered: true, MergeCells: 1 << 12, MaxSets: 8, fence: " OFFSET 0",
		Double: "DOUBLE PRECISION", IsNaN: func(expr string) string { return expr + " = 'NaN'" }, Random: "random()",
		Seconds: func(expr string) string { return "CAST(EXTRACT(EPOCH FROM " + expr + ") AS DOUBLE PRECISION)" },
		Sample: func(percent float64, seed uint64) string {
			return "TABLESAMPLE BERNOULLI (" + literal(percent) + ") REPEATABLE (" + strconv.FormatUint(seed%(1<<53),
				10) + ")"
		},
		ReadOnly: true,
	}
}

// Trino is the dialect of Trino. It was not tried on a server.
func Trino() Dialect {
	return Dialect{
		Name: "Trino", MergeCells: 1 << 12,
		Double: "DOUBLE", IsNaN: func(expr string) string { return "is_nan(" + expr + ")" }, Random: "random()",
		Seconds: func(expr string) string { return "to_unixtime(" + expr + ")" },
	}
}

// ClickHouse is the dialect of ClickHouse from version 22.4 on. It was tried on version 18.16 only, which needs
// UnionAll, and "rand() / 4294967296" as Random.
func ClickHouse() Dialect {
	return Dialect{
		Name: "ClickHouse", Quote: func(name string) string {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		},
		MergeCells: 1 << 12,
		Integer:    "Nullable(Int64)",
		Double:     "Nullable(Float64)", IsNaN: func(expr string) string { return "isNaN(" + expr + ")" },
		Random: "randCanonical()",
	}
}

// SQLite is the dialect of SQLite, which has no GROUPING SETS and no NaN. A database that another process
// writes to is asked again.
func SQLite() Dialect {
	return Dialect{
		Name: "SQLite", Refused: "[", Numbered: true, UnionAll: true, MergeCells: 1 << 12,
		Text:    func(expr string) string { return expr + " COLLATE BINARY" },
		Integer: "INTEGER", fence: " LIMIT -1",
		Double: "REAL", Random: "(random() / 18446744073709551616.0 + 0.5)",
		Transient: func(err error) bool { return lost(err) || strings.Contains(err.Error(), "SQLITE_BUSY") },
	}
}

// MariaDB is the dialect of MariaDB, which has no GROUPING SETS and no NaN, and whose texts are equal by default
// when they differ in case, in accents or in white space at the end: here they are not. Its statements run in
// read-only transactions.
func MariaDB() Dialect {
	return Dialect{
		Name: "MariaDB", Refused: "#\"@", UnionAll: true, MergeCells: 1 << 12,
		Quote:   func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" },
		Text:    func(expr string) string { return "CAST(" + expr + " AS BINARY)" },
		Integer: "SIGNED", Double: "DOUBLE", Random: "RAND()", fence: " LIMIT 18446744073709551615",
		ReadOnly: true,
		// The driver names the two ways in which it loses a connection, and gives no code.
		Transient: func(err error) bool { return lost(err) || strings.Contains(err.Error(), "invalid connection") },
	}
}

const defaultSets = 64

// literal prints a number that reads back the same in every dialect.
func literal(x float64) string { return strconv.FormatFloat(x, 'E', -1, 64) }

func (d Dialect) quote(name string) string {
	if d.Quote != nil {
		return d.Quote(name)
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// number writes a column as a floating-point number: itself, or the seconds of a date or timestamp.
func (d Dialect) number(name string, k kind) string {
	if k == day || k == moment {
		return d.Seconds(name)
	}
	return "CAST(" + name + " AS " + d.Double + ")"
}

// integer is a column as a whole number.
func (d Dialect) integer(name string) string {
	kind := "BIGINT"
	if d.Integer != "" {
		kind = d.Integer
	}
	return "CAST(" + d.quote(name) + " AS " + kind + ")"
}

func (d Dialect) sets() int {
	if d.MaxSets > 0 {
		return d.MaxSets
	}
	return defaultSets
}

func (d Dialect) transient(err error) bool {
	if d.Transient != nil {
		return d.Transient(err)
	}
	return lost(err)
}

// exhausted reports whether a database had not the memory for a statement: 53200 of SQLSTATE, in whatever language, and
// what DuckDB, SQLite and MariaDB say, and ClickHouse and Trino of their limits.
func exhausted(err error) bool {
	var state interface{ SQLState() string }
	if errors.As(err, &state) && state.SQLState() == "53200" {
		return true
	}
	text := strings.ToLower(err.Error())
	for _, said := range []string{"out of memory", "memory limit", "memory_limit"} {
		if strings.Contains(text, said) {
			return true
		}
	}
	return false
}

// lost reports whether the connection was lost, or the server asks to come back: the classes
// 08 and 53 of SQLSTATE, 57P01 to 57P03, and 40001 and 40P01 of a transaction to be repeated;
// or the driver kept a plan of the statement from before the table was made anew, which it then
// forgets.
func lost(err error) bool {
	var state interface{ SQLState() string }
	if errors.As(err, &state) {
		s := state.SQLState()
		if s == "0A000" && strings.Contains(err.Error(), "cached plan") {
			return true
		}
		return strings.HasPrefix(s, "08") || strings.HasPrefix(s, "53") || strings.HasPrefix(s, "57P0") ||
			s == "40001" || s == "40P01"
	}
	var network *net.OpError
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &network)
}
