// Package drivers holds the tests of package sqldata on databases whose Go drivers are large: SQLite, which is
// translated from C to Go, MariaDB and ClickHouse, and with a parser of Trino's grammar; those on PostgreSQL are in its
// folder postgres. It is a module of its own, so that bnlab does not depend on them, and exports nothing.
package drivers
