package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tokens: a name of a file or function, a number, a quoted value, a relation, and single characters.
var token = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9_/-]*|[0-9.]+(?:e[+-]?[0-9]+)?|<=|>=|!=|[<>=+*/(),-])`)

// selection is file[conditions].column.
var selection = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_/-]*)\[((?:"[^"]*"|[^"\]])*)\]\.(\w+)`)

// printedAfter is a number that a cell has printed behind a text: the first, or another.
var printedAfter = regexp.MustCompile(`^shown\("([^"]+)"(?:,\s*([0-9]+))?\)`)

// single is one condition of a selection.
var single = regexp.MustCompile(`^\s*(\w+)\s*(<=|>=|!=|<|>|=)\s*(?:"([^"]*)"|([^",]*?))\s*(?:,|$)`)

// parser evaluates while it reads. What is left to read is in rest; the first error is kept.
type parser struct {
	tables tables
	rest   string
	err    error
}

// evaluate returns the values of an expression, a list of comparisons or a number.
func (t tables) evaluate(expression string) ([]float64, error) {
	p := &parser{tables: t, rest: expression}
	values := p.comparison()
	for p.take(",") {
		values = slices.Concat(values, p.comparison())
	}
	if p.space(); p.err == nil && p.rest != "" {
		p.fail("cannot read %q", p.rest)
	}
	return values, p.err
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// take reads one of the tokens, if it is next, and says so.
func (p *parser) take(wanted ...string) bool { return p.next(wanted...) != "" }

// next reads and returns the next token if it is one of those wanted.
func (p *parser) next(wanted ...string) string {
	p.space()
	if got := token.FindString(p.rest); got != "" && slices.Contains(wanted, got) {
		p.rest = p.rest[len(got):]
		return got
	}
	return ""
}

// comparison is a sum, or a chain a < b <= c of them.
func (p *parser) comparison() []float64 {
	left := p.sum()
	var all []float64
	for p.err == nil {
		relation := p.next("<", "<=", ">", ">=", "=", "!=")
		if relation == "" {
			break
		}
		right := p.sum()
		holds := p.each(left, right, func(a, b float64) float64 {
			if compare(relation, a, b) {
				return 1
			}
			return 0
		})
		if left = right; all == nil {
			all = holds
		} else {
			all = p.each(all, holds, func(a, b float64) float64 { return a * b })
		}
	}
	if all == nil {
		return left
	}
	return all
}

func (p *parser) sum() []float64 {
	left := p.product()
	for p.err == nil {
		switch {
		case p.take("+"):
			left = p.each(left, p.product(), func(a, b float64) float64 { return a + b })
		case p.take("-"):
			left = p.each(left, p.product(), func(a, b float64) float64 { return a - b })
		default:
			return left
		}
	}
	return left
}

func (p *parser) product() []float64 {
	left := p.factor()
	for p.err == nil {
		switch {
		case p.take("*"):
			left = p.each(left, p.factor(), func(a, b float64) float64 { return a * b })
		case p.take("/"):
			left = p.each(left, p.factor(), func(a, b float64) float64 { return a / b })
		default:
			return left
		}
	}
	return left
}

// factor is a number, cells of a table, a function or a sum in parentheses.
func (p *parser) factor() []float64 {
	if p.space(); p.err != nil {
		return nil
	}
	if p.take("-") {
		return p.each([]float64{0}, p.factor(), func(a, b float64) float64 { return a - b })
	}
	if p.take("(") {
		return p.closed()
	}
	if part := selection.FindStringSubmatch(p.rest); part != nil {
		p.rest = p.rest[len(part[0]):]
		return p.selected(part[1], part[2], part[3])
	}
	if part := printedAfter.FindStringSubmatch(p.rest); part != nil {
		p.rest = p.rest[len(part[0]):]
		n := 1
		if part[2] != "" {
			n, _ = strconv.Atoi(part[2])
		}
		value, err := shown(p.tables.outputs, part[1], n)
		if err != nil {
			p.fail("%w", err)
		}
		return []float64{value}
	}
	got := token.FindString(p.rest)
	p.rest = p.rest[len(got):]
	if value, err := strconv.ParseFloat(got, 64); err == nil {
		return []float64{value}
	}
	apply, known := functions[got]
	if !known || !p.take("(") {
		p.fail("cannot read %q; write file[column=value].column", got+p.rest)
		return nil
	}
	return apply(p.closed())
}

// closed reads up to the closing parenthesis.
func (p *parser) closed() []float64 {
	values := p.comparison()
	if !p.take(")") {
		p.fail("no ) before %q", p.rest)
	}
	return values
}

func (p *parser) selected(file, text, column string) []float64 {
	var conditions []condition
	for strings.TrimSpace(text) != "" {
		part := single.FindStringSubmatch(text)
		if part == nil {
			p.fail("cannot read the condition %q; write column=value", text)
			return nil
		}
		text = text[len(part[0]):]
		conditions = append(conditions, condition{part[1], part[2], part[3] + part[4]})
	}
	values, err := p.tables.cells(file, conditions, column)
	if err != nil {
		p.fail("%w", err)
	}
	return values
}

// each joins two lists value by value; a single value goes with all.
func (p *parser) each(a, b []float64, join func(a, b float64) float64) []float64 {
	if p.err != nil {
		return nil
	}
	if len(a) != len(b) && len(a) != 1 && len(b) != 1 {
		p.fail("%d cells against %d; choose rows that belong together", len(a), len(b))
		return nil
	}
	joined := make([]float64, max(len(a), len(b)))
	for i := range joined {
		joined[i] = join(a[min(i, len(a)-1)], b[min(i, len(b)-1)])
	}
	return joined
}

// functions are those of an expression.
var functions = map[string]func([]float64) []float64{
	"min": func(v []float64) []float64 { return whole(v, slices.Min[[]float64]) },
	"max": func(v []float64) []float64 { return whole(v, slices.Max[[]float64]) },
	"sum": func(v []float64) []float64 { return whole(v, total) },
	"mean": func(v []float64) []float64 {
		return whole(v, func(v []float64) float64 { return total(v) / float64(len(v)) })
	},
	"count": func(v []float64) []float64 {
		return whole(v, func(v []float64) float64 {
			return float64(len(v) - len(slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x != 0 })))
		})
	},
	"abs": func(v []float64) []float64 { return one(v, math.Abs) },
	"log": func(v []float64) []float64 { return one(v, math.Log) },
	"exp": func(v []float64) []float64 { return one(v, math.Exp) },
}

// whole is a function of all values; of none, after an error, it is none.
func whole(values []float64, f func([]float64) float64) []float64 {
	if len(values) == 0 {
		return nil
	}
	return []float64{f(values)}
}

// one is a function of each value.
func one(values []float64, f func(float64) float64) []float64 {
	changed := make([]float64, len(values))
	for i, v := range values {
		changed[i] = f(v)
	}
	return changed
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}
