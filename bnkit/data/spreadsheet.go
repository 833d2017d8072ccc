package data

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ForSpreadsheet puts an apostrophe before a text that a spreadsheet would take for a formula and compute, or send
// somewhere: one that begins with =, +, -, @ or a tab. Numbers, such as -1.5 and +3 %, stay as they are, and so does a
// single sign. It is for the writers of CSV:
//
//	err := table.WriteCSVFile("cases.csv", data.ForSpreadsheet)
//	err := bnkit.WriteCSV("cases.csv", df, data.ForSpreadsheet)
//
// What is read back from such a file has the apostrophes: write files for programs without it.
func ForSpreadsheet(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == len(text) || !strings.ContainsRune("=+-@\t＝＋－＠", first) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	if how := dressed(text); how == comma || how == clothed && !strings.ContainsAny(text[size:size+1], "+-") {
		return text
	}
	return "'" + text
}
