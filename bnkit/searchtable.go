package bnkit

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// refuseIncomplete returns an error of a verb that does not take Incomplete.
func (s *SearchSettings) refuseIncomplete(verb string) error {
	if s.Incomplete == nil {
		return nil
	}
	return say.Errorf("bnkit: SearchSettings.Incomplete is for Search and ScoreStructure; set Missing for %s, or drop "+
		"the rows with missing cells (DropMissing)", verb)
}

// scoreOr returns the score, or the default.
func scoreOr(score structure.Score) structure.Score {
	if score == nil {
		return structure.BIC{}
	}
	return score
}

// table takes the columns to search over. They must be discrete where the score is for states only.
func (s *SearchSettings) table(f *frame, score structure.Score) (*data.Table, error) {
	var hidden []string
	if s.Incomplete != nil {
		hidden = slices.Sorted(maps.Keys(s.Incomplete.Hidden))
	}
	if err := f.checkLists(s.States, hidden...); err != nil {
		return nil, err
	}
	names := s.Columns
	if names == nil {
		names = f.names
	}
	if s.Intervened != "" {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return trimName(name) == trimName(s.Intervened)
		})
	}
	t, err := s.read(f, names)
	if err != nil {
		return nil, err
	}
	switch score.(type) {
	case nil, structure.BIC, structure.AIC, structure.LogLikelihood, structure.BGe, structure.Constrained:
	default:
		if err := checkDiscrete(t); err != nil {
			scores := "structure.BIC{} or structure.BGe{}"
			if discrete, _ := sorts(t); discrete != "" {
				scores = "structure.BIC{}"
			}
			return nil, say.Errorf("%w; or score them as numbers by %s", err, scores)
		}
	}
	if t, err = intervened(f, t, s.Intervened); err != nil && s.Columns != nil &&
		errors.Is(err, bn.ErrUnknownVariable) {
		return nil, say.Errorf("%w, or name it in SearchSettings.Columns", err)
	}
	if err != nil || s.Intervened == "" || t.Regimes() != nil {
		return t, err
	}
	return nil, say.Errorf("bnkit: SearchSettings.Intervened: column %q names no variable in any row, so that nothing "+
		"was set; name the variables that were set, separated by \";\", or leave Intervened out", s.Intervened)
}

// read takes columns of a frame with the lists of states and the discretisers that are for them; labels are
// columns of text whatever they look like.
func (s *SearchSettings) read(f *frame, names []string, labels ...string) (*data.Table, error) {
	if len(names) == 0 {
		return nil, errors.New("bnkit: SearchSettings.Columns names no column; leave it nil for all of them")
	}
	opts := &data.CSVOptions{Discrete: labels, States: make(map[string][]string)}
	for name, list := range s.States {
		if name = trimName(name); slices.ContainsFunc(names,
			func(other string) bool { return trimName(other) == name }) {
			opts.States[name] = list
		}
	}
	t, err := f.undeclared(names, opts)
	if err != nil {
		return nil, err
	}
	return discretize(t, s.Discretization)
}

// sorts returns the first column with states and the first of numbers, "" for none.
func sorts(t *data.Table) (discrete, numbers string) {
	for _, v := range slices.Backward(t.Variables()) {
		if v.IsDiscrete() {
			discrete = v.Name
		} else {
			numbers = v.Name
		}
	}
	return discrete, numbers
}

// checkDiscrete returns an error that names all columns of numbers.
func checkDiscrete(t *data.Table, but ...string) error {
	var numbers []string
	for _, v := range t.Variables() {
		if !v.IsDiscrete() && !slices.Contains(but, v.Name) {
			numbers = append(numbers, fmt.Sprintf("%q", v.Name))
		}
	}
	switch len(numbers) {
	case 0:
		return nil
	case 1:
		return say.Errorf("bnkit: column %s holds numbers: %w; give it states with Discretize(df, "+
			"data.Quantiles{Column: %s, Bins: 3}) as SearchSettings.Discretization, or leave it out of "+
			"SearchSettings.Columns",
			numbers[0], bn.ErrNotDiscrete, numbers[0])
	}
	return say.Errorf("bnkit: columns %s hold numbers: %w; give them states with Discretize(df, "+
		"data.Quantiles{Column: %s, Bins: 3}, …) as SearchSettings.Discretization, or leave them out of "+
		"SearchSettings.Columns",
		say.List(numbers), bn.ErrNotDiscrete, numbers[0])
}
