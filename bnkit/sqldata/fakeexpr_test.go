package sqldata_test

import (
	"fmt"
	"strconv"
	"strings"
)

// An expression of whole numbers as the fake reads it: + * % < = with parentheses, CAST, CASE WHEN and columns.
type expression struct {
	tokens []string
	at     int
	column func(name string) (int64, bool)
	err    error
}

// evaluate returns the value of an expression, for a column by its name without quotes.
func evaluate(text string, column func(name string) (int64, bool)) (int64, error) {
	for _, mark := range []string{"(", ")", "+", "*", "%", "<", "="} {
		text = strings.ReplaceAll(text, mark, " "+mark+" ")
	}
	e := &expression{tokens: strings.Fields(text), column: column}
	n := e.compared()
	if e.err == nil && e.at < len(e.tokens) {
		e.err = fmt.Errorf("%q after the end", e.tokens[e.at])
	}
	return n, e.err
}

func (e *expression) next(token string) bool {
	if e.at < len(e.tokens) && e.tokens[e.at] == token {
		e.at++
		return true
	}
	return false
}

func (e *expression) demand(token string) {
	if !e.next(token) && e.err == nil {
		e.err = fmt.Errorf("no %q at %v", token, e.tokens[e.at:min(e.at+5, len(e.tokens))])
	}
}

func (e *expression) compared() int64 {
	n := e.sum()
	for _, op := range []string{"<", "="} {
		if e.next(op) {
			m := e.sum()
			if op == "<" && n < m || op == "=" && n == m {
				return 1
			}
			return 0
		}
	}
	return n
}

func (e *expression) sum() int64 {
	n := e.product()
	for e.next("+") {
		n = checked(e, n, e.product(), func(a, b int64) int64 { return a + b })
	}
	return n
}

func (e *expression) product() int64 {
	n := e.factor()
	for {
		switch {
		case e.next("*"):
			n = checked(e, n, e.factor(), func(a, b int64) int64 { return a * b })
		case e.next("%"):
			if m := e.factor(); m != 0 {
				n %= m
			}
		default:
			return n
		}
	}
}

// checked refuses what 64 bits do not hold with a bit to spare.
func checked(e *expression, a, b int64, do func(a, b int64) int64) int64 {
	n := do(a, b)
	if a >= 0 && b >= 0 && (n < a || n < b || n >= 1<<62) && a > 0 && b > 0 {
		e.err = fmt.Errorf("%d and %d are too large", a, b)
	}
	return n
}

func (e *expression) factor() int64 {
	switch {
	case e.err != nil || e.at >= len(e.tokens):
		return 0
	case e.next("("):
		n := e.compared()
		e.demand(")")
		return n
	case e.next("CAST"):
		e.demand("(")
		n := e.compared()
		e.demand("AS")
		e.at++ // the type
		e.demand(")")
		return n
	case e.next("CASE"):
		n, found := int64(0), false
		for e.next("WHEN") {
			is := e.compared()
			e.demand("THEN")
			if m := e.compared(); is != 0 && !found {
				n, found = m, true
			}
		}
		if e.next("ELSE") {
			if m := e.compared(); !found {
				n = m
			}
		}
		e.demand("END")
		return n
	}
	token := e.tokens[e.at]
	e.at++
	if name, quoted := strings.CutPrefix(token, `"`); quoted {
		n, ok := e.column(strings.TrimSuffix(name, `"`))
		if !ok {
			e.err = fmt.Errorf("no column %s", token)
		}
		return n
	}
	n, err := strconv.ParseInt(token, 10, 64)
	if err != nil && e.err == nil {
		e.err = err
	}
	return n
}

// aliased splits a list at the commas outside parentheses, and each part at its last AS.
func aliased(list string) map[string]string {
	out := make(map[string]string)
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		switch {
		case i == len(list) || list[i] == ',' && depth == 0:
			part := strings.TrimSpace(list[start:i])
			if at := strings.LastIndex(part, ` AS "`); at >= 0 {
				out[strings.Trim(part[at+4:], `"`)] = part[:at]
			}
			start = i + 1
		case list[i] == '(':
			depth++
		case list[i] == ')':
			depth--
		}
	}
	return out
}
