package netdoc

import (
	"slices"
	"strings"

	"bnlab/internal/say"
)

// A Normal is the distribution of a continuous node in one configuration of its discrete
// parents: normal around a linear function of continuous ones.
type Normal struct {
	Intercept float64
	Weights   []Weight
	Variance  float64
	At        int
}

// A Weight is that of one continuous parent.
type Weight struct {
	Parent string
	W      float64
	At     int
}

// maxWeights bounds the parents of one sum.
const maxWeights = 1000

// Linear reads a sum of numbers, names and products of a number and a name, as in
// 0.5 + 2 * x - y, up to the first token that cannot continue it. The result has no variance.
// A call such as Normal(0, 1) is read by call, which is given its name, or is refused when call is nil.
func (s *Scanner) Linear(n *Normal, call func(Token) error) error {
	n.At = s.Peek().At
	for first := true; ; first = false {
		sign := 1.0
		t := s.Peek()
		switch {
		case t.Kind == '+' || t.Kind == '-':
			s.Next()
			if t.Kind == '-' {
				sign = -1
			}
			t = s.Peek()
		case !first && (t.Kind != Number || t.Text[0] != '+' && t.Text[0] != '-'): // in 1-2 the sign is that of 2
			return nil
		}
		if err := s.term(n, sign, call); err != nil {
			return err
		}
	}
}

// term reads a number, a name, or a product of both.
func (s *Scanner) term(n *Normal, sign float64, call func(Token) error) error {
	t := s.Next()
	factor, name := sign, Token{}
	switch t.Kind {
	case Number:
		x, ok := ParseNumber(t.Text)
		if !ok {
			return s.Unexpected(t, "a number")
		}
		factor *= x
		if s.Accept('*') {
			var err error
			if name, err = s.Expect(Word, "the name of a parent"); err != nil {
				return err
			}
		}
	case Word:
		if s.Peek().Kind == '(' {
			if call == nil || sign < 0 {
				return s.ErrorAt(t.At, "%w: %s(...) here; only sums of numbers and numbers times parents are read",
					ErrUnsupported, say.Short(t.Text))
			}
			return call(t)
		}
		name = t
		if s.Accept('*') {
			x, err := s.Expect(Number, "a number")
			if err != nil {
				return err
			}
			y, ok := ParseNumber(x.Text)
			if !ok {
				return s.Unexpected(x, "a number")
			}
			factor *= y
		}
	default:
		return s.Unexpected(t, "a number or the name of a parent")
	}
	if next := s.Peek(); next.Kind == '*' || next.Kind == '/' || next.Kind == '^' {
		return s.ErrorAt(next.At, "%w: only sums of numbers and numbers times parents are read", ErrUnsupported)
	}
	if name.Text == "" {
		n.Intercept += factor
		return nil
	}
	return s.add(n, name, factor)
}

// Add adds a linear function.
func (n *Normal) Add(m Normal) {
	n.Intercept += m.Intercept
	for _, w := range m.Weights {
		i := slices.IndexFunc(n.Weights, func(x Weight) bool { return x.Parent == w.Parent })
		if i < 0 {
			n.Weights = append(n.Weights, w)
		} else {
			n.Weights[i].W += w.W
		}
	}
}

func (s *Scanner) add(n *Normal, name Token, factor float64) error {
	if len(n.Weights) == maxWeights {
		return s.ErrorAt(name.At, "a sum over more than %d parents", maxWeights)
	}
	i := slices.IndexFunc(n.Weights, func(w Weight) bool { return w.Parent == name.Text })
	if i < 0 {
		i, n.Weights = len(n.Weights), append(n.Weights, Weight{Parent: name.Text, At: name.At})
	}
	n.Weights[i].W += factor
	return nil
}

// Sum writes a linear function as Linear reads it, parents by their identifiers.
func Sum(intercept float64, weights []float64, parents []string) string {
	b := strings.Builder{}
	b.WriteString(FormatNumber(intercept))
	for i, w := range weights {
		if w < 0 {
			b.WriteString(" - ")
			w = -w
		} else {
			b.WriteString(" + ")
		}
		b.WriteString(FormatNumber(w) + " * " + parents[i])
	}
	return b.String()
}
