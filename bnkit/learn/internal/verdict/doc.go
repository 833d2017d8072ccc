// Package verdict turns what an audit measures of statements into words: p-values adjusted for their number, the
// contexts that a cost comes from, and what may be said. How often each word is said of true and of false statements
// is in docs/verdicts.md.
package verdict
