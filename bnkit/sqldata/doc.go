// Package sqldata learns from cases that live in a database, through database/sql. No driver
// is imported: the caller opens the database with the driver of his choice.
package sqldata
