package validate

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// pooled are the predictions of all folds. A case that was predicted k times counts 1/k each time.
type pooled struct {
	occurred  []bn.State
	predicted [][]float64
	weights   []float64
}

func (r *Result) pooled(l *LearnerResult) pooled {
	times := make([]int, r.Rows)
	for _, repeat := range l.Predicted {
		for row, p := range repeat {
			if p != nil {
				times[row]++
			}
		}
	}
	var all pooled
	for _, repeat := range l.Predicted {
		for row, p := range repeat {
			if p == nil {
				continue
			}
			all.occurred = append(all.occurred, r.sample.states[row])
			all.predicted = append(all.predicted, p)
			all.weights = append(all.weights, r.sample.weight(row)/float64(times[row]))
		}
	}
	return all
}

// event returns the probability of the event and whether it happened.
func (p pooled) event(positive int) (scores []float64, happened []bool) {
	for i, q := range p.predicted {
		scores = append(scores, q[positive])
		happened = append(happened, int(p.occurred[i]) == positive)
	}
	return scores, happened
}

// ROC returns a curve for each learner, from the pooled predictions of all held-out cases. They
// come from a different fit in each fold, so the area need not equal the mean AUC of the folds, and
// the standard error counts repeated cases once. It returns an error for a target of more than two
// states without a Positive one and for cases of one kind.
func (r *Result) ROC() ([]*metric.ROCCurve, error) {
	if err := r.kept(); err != nil {
		return nil, err
	}
	if r.Event == "" {
		return nil, r.noEvent()
	}
	var out []*metric.ROCCurve
	for i := range r.Learners {
		p := r.pooled(&r.Learners[i])
		scores, happened := p.event(r.sample.positive)
		c, err := metric.ROC(scores, happened, p.weights)
		if err != nil {
			return nil, say.Errorf("validate: %w", err)
		}
		c.Name = r.Learners[i].Name
		out = append(out, c)
	}
	return out, nil
}

// Calibration returns a curve for each learner, from the pooled predictions of all held-out cases.
// The errors are those of [Result.ROC] and of [metric.Calibration].
func (r *Result) Calibration(opts *metric.CalibrationOptions) ([]*metric.CalibrationCurve, error) {
	if err := r.kept(); err != nil {
		return nil, err
	}
	if r.Event == "" {
		return nil, r.noEvent()
	}
	var out []*metric.CalibrationCurve
	for i := range r.Learners {
		p := r.pooled(&r.Learners[i])
		scores, happened := p.event(r.sample.positive)
		c, err := metric.Calibration(scores, happened, p.weights, opts)
		if err != nil {
			return nil, say.Errorf("validate: %w", err)
		}
		c.Name = r.Learners[i].Name
		out = append(out, c)
	}
	return out, nil
}

// Confusion returns the confusion matrix of one learner over all held-out cases. The errors are
// those of [metric.Predictions.Confusion], and one for an unknown learner.
func (r *Result) Confusion(learner string, opts *metric.ConfusionOptions) (*metric.ConfusionMatrix, error) {
	l, err := r.learner(learner)
	if err == nil {
		err = r.kept()
	}
	if err != nil {
		return nil, err
	}
	p := r.pooled(l)
	m, err := (&metric.Predictions{Target: r.Target, P: p.predicted, Occurred: p.occurred,
		Weights: p.weights}).Confusion(opts)
	if err != nil {
		return nil, say.Errorf("validate: %w", err)
	}
	return m, nil
}

// kept returns an error where there are no predictions.
func (r *Result) kept() error {
	if r.sample == nil {
		return errors.New("validate: predictions of cases in a database are not kept; cross-validate a table for " +
			"curves, such as a Preview of the cases")
	}
	return nil
}

func (r *Result) noEvent() error {
	return say.Errorf("validate: target %q has %d states; say in Settings which one is Positive", r.Target.Name,
		len(r.Target.States))
}
