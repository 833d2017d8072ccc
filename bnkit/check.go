package bnkit

import (
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// Check checks constraints before seeing any data. The frame has a row for each:
//
//	statement      the sentence
//	class          its type in N06 §4.3, see [constraint.Describe]
//	distributions  how many rows of tables, or regressions, it binds
//	method         how the distributions that it links will be solved
//	note           what is odd about it: that it cannot matter, leaves no influence together
//	               with one of the other sign, can hold with equality only together with others,
//	               has no proof of its optimum, or takes for the higher of two states the one that
//	               its name says is lower
//
// Errors are those of [constraint.Compile]: they name a variable or state that is unknown, states
// that need an order and were only found in data ([constraint.ErrNoOrder]), or the smallest set of
// statements that contradict each other.
func Check(m bn.Model, statements ...constraint.Constraint) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net := model.Net
	weights, tables, err := constraint.BindWeights(net, statements...)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	p, err := constraint.Compile(net, tables...)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	methods := p.Methods()
	redundant, err := p.Redundant()
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	forced, err := p.Forced()
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	n := len(statements)
	sentences, classes, bound := make([]string, n), make([]string, n), make([]int, n)
	by, notes := make([]string, n), make([]string, n)
	table := 0 // place among tables
	for i, s := range statements {
		r, err := reachOf(net, s)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
		}
		class, odd := constraint.Describe(net, s)
		sentences[i], classes[i], bound[i] = s.String(), class, r.rows
		if r.weights {
			by[i] = regressionMethod(weights, r.variables)
			continue
		}
		by[i] = methods[table]
		notes[i] = note(by[i], slices.Contains(redundant, table), isOpposed(s, statements),
			slices.Contains(forced, table))
		if odd != "" {
			notes[i] = strings.TrimPrefix(notes[i]+"; "+odd, "; ")
		}
		table++
	}
	return dataframe.New(
		series.New(sentences, series.String, "statement"),
		series.New(classes, series.String, "class"),
		series.New(bound, series.Int, "distributions"),
		series.New(by, series.String, "method"),
		series.New(notes, series.String, "note"),
	), nil
}

// note says what is odd about a statement about tables.
func note(method string, redundant, opposed, forced bool) string {
	switch {
	case method == "":
		return "says nothing: it holds of all distributions"
	case redundant:
		return "cannot matter: it follows from the others"
	case opposed:
		return "together with the influence of the other sign: no influence at all, wherever both apply"
	case forced:
		return "with the others it can hold with equality only: together they say that something has no effect or a " +
			"known value"
	case strings.Contains(method, "augmented Lagrangian"):
		return "not concave: searched from several starts, and the best end may be a local maximum"
	}
	return ""
}

// isOpposed reports whether s is an influence and others say the contrary of a configuration that it speaks
// of. That is no contradiction: rows that are alike satisfy both (with margins it is one, and
// [constraint.Compile] says so).
func isOpposed(s constraint.Constraint, others []constraint.Constraint) bool {
	a, ok := influence(s)
	return ok && slices.ContainsFunc(others, func(other constraint.Constraint) bool {
		b, ok := influence(other)
		if !ok || b.Parent != a.Parent || b.Child != a.Child || b.Sign == a.Sign ||
			!compares(a, b) {
			return false
		}
		for name, state := range a.Given {
			if there, ok := b.Given[name]; ok && there != state {
				return false
			}
		}
		return true
	})
}

// compares reports whether two influences of one parent compare two of its states in common.
func compares(a, b constraint.Influence) bool {
	if a.Over == nil || b.Over == nil {
		return true
	}
	both := 0
	for _, state := range a.Over {
		if slices.Contains(b.Over, state) {
			both++
		}
	}
	return both >= 2
}

func influence(s constraint.Constraint) (constraint.Influence, bool) {
	if p, ok := s.(*constraint.Influence); ok {
		return *p, true
	}
	i, ok := s.(constraint.Influence)
	return i, ok
}

// A reach is what a statement speaks of.
type reach struct {
	rows      int
	variables []int
	weights   bool // of linear-Gaussian nodes
}

func reachOf(net *bn.Network, s constraint.Constraint) (reach, error) {
	bounds, err := s.Bind(net)
	if err != nil {
		return reach{}, err
	}
	var r reach
	seen := make(map[constraint.Row]bool)
	for _, b := range bounds {
		r.weights = r.weights || len(b.Shares) > 0
		for _, row := range b.Links {
			seen[row] = true
			if !slices.Contains(r.variables, row.Var) {
				r.variables = append(r.variables, row.Var)
			}
		}
	}
	r.rows = len(seen)
	return r, nil
}

// regressionMethod is how linear-Gaussian nodes are fitted: by turns when weights are the
// same in configurations that have variances of their own.
func regressionMethod(weights []constraint.Weights, variables []int) string {
	method := "least squares"
	for _, w := range weights {
		if slices.Contains(variables, w.Var) && (w.AtLeast != nil || w.AtMost != nil) {
			method = "least squares within limits"
		}
	}
	for _, w := range weights {
		for _, term := range w.Terms {
			if slices.Contains(variables, w.Var) && term.Config != w.Terms[0].Config {
				return method + " by turns"
			}
		}
	}
	return method
}
