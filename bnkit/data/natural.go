package data

import (
	"cmp"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// natural compares names as a person orders them: what begins with < or ≤ comes
// first and with > or ≥ last, numbers before words and by value, and digits
// within words by value, so that 2 < 10, q2 < q10 and <50K < >50K.
func natural(a, b string) int {
	if c := cmp.Compare(edge(a), edge(b)); c != 0 {
		return c
	}
	x, isX := parseNumber([]byte(a))
	y, isY := parseNumber([]byte(b))
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case isX:
		return -1
	case isY:
		return 1
	}
	return cmp.Or(pieces(a, b), cmp.Compare(a, b))
}

func edge(s string) int {
	switch {
	case strings.HasPrefix(s, "<"), strings.HasPrefix(s, "≤"):
		return -1
	case strings.HasPrefix(s, ">"), strings.HasPrefix(s, "≥"):
		return 1
	}
	return 0
}

// pieces compares runs of digits by value and other bytes one by one.
func pieces(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the length of the run of digits at the start.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}

// naturalOrder returns the numbers of names in their natural order.
func naturalOrder(names []string) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return natural(names[i], names[j]) })
	return order
}

// Natural returns a discrete column with its states in natural order, as [ReadCSV] puts those that
// it finds: "<5" first, 2 before 10, words by their letters, ">5" last. It renumbers the cells of c.
// The variable is marked as Sorted unless all its states are put in order by a number in them.
func (c Column) Natural() Column {
	order := naturalOrder(c.Var.States)
	names := make([]string, len(order))
	number := make([]bn.State, len(order))
	for to, from := range order {
		names[to] = c.Var.States[from]
		number[from] = bn.State(to)
	}
	if !slices.IsSorted(order) {
		for row, s := range c.States {
			if s != bn.Missing {
				c.States[row] = number[s]
			}
		}
	}
	v := bn.Discrete(c.Var.Name, names...)
	for i := range names[:max(len(names)-1, 0)] {
		v.Sorted = v.Sorted || !numbered(names[i], names[i+1])
	}
	return Column{Var: v, States: c.States}
}

// numbered reports whether a number in two neighbours says which of them is higher, as in 2 and
// 10, "10-19" and "20-29", "<5" and ">5", "stage 1" and "stage 2".
func numbered(a, b string) bool {
	_, isX := parseNumber([]byte(a))
	_, isY := parseNumber([]byte(b))
	if isX || isY {
		return isX && isY || edge(a) != edge(b)
	}
	if edge(a) != edge(b) {
		return strings.ContainsAny(a, "0123456789") && strings.ContainsAny(b, "0123456789")
	}
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 && strings.TrimLeft(a[:m], "0") != strings.TrimLeft(b[:n], "0") {
			return true
		}
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return false
			}
			m, n = 1, 1
		}
		a, b = a[m:], b[n:]
	}
	return false
}
