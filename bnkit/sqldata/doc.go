// Package sqldata learns from cases that live in a database and may be larger than memory. It
// speaks through database/sql and imports no driver: open the database with the driver of your
// choice, and give the rows that are the cases and the SQL dialect.
//
//	db, err := sql.Open("pgx", "postgres://reader@hospital/records")
//	...
//	cases, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{
//		Table:  "records.visits",
//		States: data.StatesOf(net.Variables()...),
//	})
//	...
//	fit, err := learn.Fit(ctx, net, cases, learn.MAP{Pseudocount: 1}, nil)
//
// [Cases] are a [data.Source], so that learners (learn.Fit) and structure searches take
// them as they take a table in memory, with the same result. What crosses the wire are counts:
// the rows of GROUP BY for many families at once, or, for methods that iterate, the rows that
// differ. [Cases.Cost] says how many statements that took and how many rows were fetched;
// [Options] bound both.
//
// A statement counts by GROUPING SETS where the dialect has them. Families over the same columns are
// counted once; families that together have few combinations of states are counted as one, and
// their margins summed here (Dialect.MergeCells); counts are kept for later calls.
//
// A column is discrete: texts, whole numbers and truth values become states by the rules of
// [data.CSVOptions]; numbers, dates and timestamps are cut into states by a [data.Discretization], in the database.
// NULL, NaN and the texts in Options.Missing are missing cells.
//
// Every statement is one SELECT, in a read-only transaction where the dialect has them. Names are
// quoted, values of data are never part of a statement, and a query of the user's is checked and
// wrapped: it calls functions that are known only to compute, and those in Options.Functions. The fence is an account
// that may only read nevertheless (docs/databases.md): a view, or a function that a query calls, can do what the
// account may. A statement that fails because the connection was lost is sent again,
// and a table whose number of rows has changed is an error.
//
// Columns named in Options.Continuous stay numbers: their means and products are summed in the database
// ([Cases.Products]), from which structure searches score regressions.
//
// With a Key, a column of whole numbers, the database divides the rows into folds ([Cases.Folds], for
// validate.CrossValidate) and draws bootstrap replicates ([Cases.Replicates], for structure.ArcStrengths); what a
// search costs is known before it starts ([Cases.Plan], [Cases.Time]).
//
// Not here: drivers, files (the module bnkit/sqldata/duckdb), fits of continuous variables, writing.
package sqldata
