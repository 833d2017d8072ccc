package bnkit

import (
	"errors"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// softCell reads a set of states, "sunny|windy", or an interval, "[1, 2]"; nil for any other cell.
func softCell(v bn.Variable, cell string) (any, error) {
	if !v.IsDiscrete() {
		low, high, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(cell, "["), "]"), ",")
		if !ok || !strings.HasPrefix(cell, "[") || !strings.HasSuffix(cell, "]") {
			return nil, nil
		}
		a, errA := strconv.ParseFloat(strings.TrimSpace(low), 64)
		b, errB := strconv.ParseFloat(strings.TrimSpace(high), 64)
		if errA != nil || errB != nil {
			return nil, nil
		}
		return infer.Interval{Low: a, High: b}, nil
	}
	if !strings.Contains(cell, "|") {
		return nil, nil
	}
	if _, ok, err := softState(v, cell); ok || err != nil {
		return nil, nil // a state's own name, or a value, wins
	}
	var states []string
	for part := range strings.SplitSeq(cell, "|") {
		state, ok, err := softState(v, strings.TrimSpace(part))
		if !ok || err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	return infer.OneOf(states...), nil
}

// softState reads part of a cell, a state's name or what the data call it.
func softState(v bn.Variable, text string) (state string, ok bool, err error) {
	own, notState := v.StateIndex(text)
	if v.Encoding != nil {
		if raw, err := v.Encoding.State(text); err == nil && raw != bn.Missing {
			if notState == nil && bn.State(own) != raw {
				return "", false, say.Errorf("bnkit: %w: %q is a state of %q, and as it stands in the data it means %s",
					bn.ErrAmbiguous, text, v.Name, v.States[raw])
			}
			return v.States[raw], true, nil
		}
	}
	if notState != nil {
		return "", false, nil
	}
	return text, true, nil
}

// noSoftCells says of a cell that is not known to be a state or a number that it is a set or an interval.
func noSoftCells(vars []bn.Variable, err error) error {
	var where *data.ValueError
	if !errors.As(err, &where) {
		return err
	}
	for _, v := range vars {
		if v.Name != where.Name && (v.Encoding == nil || v.Encoding.DataColumn() != where.Name) {
			continue
		}
		finding, _ := softCell(v, strings.TrimSpace(where.Value))
		if finding == nil {
			continue
		}
		e, reason := *where, bn.ErrUnknownState
		if !v.IsDiscrete() {
			reason = data.ErrNumber
		}
		e.Err = say.Errorf("%w: it is the finding %v, which only Predict, PredictInterval and the questions to series "+
			"take; empty the cell", reason, finding)
		return say.Errorf("bnkit: %w", &e)
	}
	return err
}
