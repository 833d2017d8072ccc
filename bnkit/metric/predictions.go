package metric

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Predictions are the distributions of one variable in the cases of a table, as [Predict] returns them, beside the
// states that occurred.
type Predictions struct {
	Target   bn.Variable
	P        [][]float64 // rows × states
	Occurred []bn.State  // by row
	Weights  []float64   // of the rows; nil means 1

	unknown error // why a table did not tell what occurred

	cases      *cases      // nil for predictions from elsewhere
	incomplete *incomplete // those with missing cells, nil for none
}

// ROC returns the ROC curve of one state of the target against the others: scores are its probabilities. The empty
// state is the second of a binary target. Errors are those of [ROC], and those for a state that the target
// does not have, no state for a target of more than two, and a case without the target's state.
func (p *Predictions) ROC(state string) (*ROCCurve, error) {
	scores, positive, name, err := p.of(state)
	if err != nil {
		return nil, err
	}
	c, err := ROC(scores, positive, p.Weights)
	if err != nil {
		return nil, say.Errorf("%w (%s)", err, name)
	}
	c.Name = name
	return c, nil
}

// Calibration returns the calibration curve of one state of the target. The empty state is the second of a binary
// target. Errors are those of [Calibration] and [Predictions.ROC]; cases of one kind are none.
func (p *Predictions) Calibration(state string, opts *CalibrationOptions) (*CalibrationCurve, error) {
	scores, happened, name, err := p.of(state)
	if err != nil {
		return nil, err
	}
	c, err := Calibration(scores, happened, p.Weights, opts)
	if err != nil {
		return nil, err
	}
	c.Name = name
	return c, nil
}

// of returns the probability of one state of the target by row, whether it occurred, and what is
// predicted in words.
func (p *Predictions) of(state string) (scores []float64, is []bool, name string, err error) {
	if p.unknown != nil {
		return nil, nil, "", p.unknown
	}
	if err := checkLengths(len(p.P), len(p.Occurred), p.Weights); err != nil {
		return nil, nil, "", err
	}
	target, states := p.Target.Name, p.Target.States
	at := slices.Index(states, state)
	switch {
	case state == "" && len(states) == 2:
		at = 1
	case state == "":
		return nil, nil, "", say.Errorf("metric: target %q has %d states; name the one to tell from the others", target,
			len(states))
	case at < 0:
		return nil, nil, "", say.Errorf("metric: target %q: %w %q (states: %v)", target, bn.ErrUnknownState, state,
			states)
	}
	scores, is = make([]float64, len(p.P)), make([]bool, len(p.P))
	for row, q := range p.P {
		scores[row], is[row] = q[at], int(p.Occurred[row]) == at
	}
	return scores, is, target + "=" + states[at], nil
}
