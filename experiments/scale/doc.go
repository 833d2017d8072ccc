// Package scale measures what learning costs as data grow, in memory and through a database.
//
// Cases are drawn from the network ALARM (37 variables, 46 arcs), 10 thousand to 100 million
// of them, and written to Parquet. Without the network's file, its published structure stands
// in, with tables drawn at random, and is named so. Each engine opens the file and does the
// same tasks: open it; count all families of the network; hill climbing with BIC; maximum
// likelihood under all influences that the truth satisfies; EM with a hidden class.
//
// Engines are values, see [Engine]: this module has [Memory]; DuckDB is in a module of its
// own, whose command runs this experiment with both and writes the same files:
//
//	cd experiments/scale/duckdb && go run . -profile quick
//
// # What is measured
//
// Seconds are by the clock, the fastest of some runs where they are short. Peak memory is the largest resident set
// of this process while the task runs, as Linux keeps it (VmHWM, reset through
// /proc/self/clear_refs), less what was resident before the engine opened the file. So it holds
// the table of the engine in memory, the library's buffers, and garbage not yet collected; the
// engines run one after the other in one process, after garbage has been given back. Elsewhere
// than on Linux it is n/a. Statements and rows are those that the database was sent and that
// it returned. Processor time, the measure that other programs on the machine disturb least,
// stands in scale-cost.csv.
//
// # Growth
//
// Rows are not all that grows. Tasks in memory whose size is the rows, the variables, the states, the hidden variables,
// their joint states or the statements, and nothing else, take processor time that is set beside what the mathematics
// says (growthtasks.go): scale-growth.csv and its figure, and the exponents in scale-growth-slopes.csv.
//
// What 10^10 rows would take is computed from the measurements at the largest number of rows,
// see cluster.go.
package scale
