package validate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A Measure says how good predictions of the target are. More is better with all of them.
type Measure int

const (
	// LogScore is the mean of log P(what occurred | rest), in nats a case.
	LogScore Measure = iota
	// AUC is the area under the ROC curve of one state; see [metric.ROC].
	AUC
	// Accuracy is the share of cases whose most probable state occurred.
	Accuracy
)

// String names the measure.
func (m Measure) String() string {
	switch m {
	case LogScore:
		return "log score"
	case AUC:
		return "AUC"
	case Accuracy:
		return "accuracy"
	}
	return fmt.Sprintf("Measure(%d)", int(m))
}

func (m Measure) check() error {
	if m < LogScore || m > Accuracy {
		return fmt.Errorf("validate: the criterion %v is unknown; take LogScore, AUC or Accuracy", m)
	}
	return nil
}

// mostRepeats is more than any question needs, and what there is memory for.
const mostRepeats = 1_000_000

// Settings govern a validation. Src is needed; the rest has defaults.
type Settings struct {
	// Src deals the cases into folds and drives methods that are random.
	Src rand.Source
	// Folds of [CrossValidate]; 0 means 10.
	Folds int
	// Repeats is how often the cases are dealt anew; 0 means once for CrossValidate and 100
	// times, at each size, for [LearningCurve]. A million is the most.
	Repeats int
	// InnerFolds are the folds of the training cases in which candidates are compared; 0
	// means 10. Where there are fewer training cases each is a fold.
	InnerFolds int
	// Criterion chooses among candidates, and is what [EquivalentSampleSize] goes by.
	Criterion Measure
	// Positive is the state of the target whose probability ranks the cases for AUC, against
	// all other states. Empty is the last of two; a target of more states then has no AUC.
	Positive string
	// Discretization, when not nil, is applied to the table first. Cut points that were fitted
	// to all cases have seen the test cases: take them from elsewhere.
	Discretization *data.Discretization
	// Fit are the settings of fits by rows: SkipMissing, and what is for methods that iterate.
	// Its Src, Workers, Context, Progress and HeldOut are not used.
	Fit *learn.Settings
	// Workers bounds the number of processors; 0 means all. Results do not depend on it.
	Workers int
	// Context, when not nil, ends a run early: what is complete by then comes back, marked as
	// Interrupted.
	Context context.Context
	// Progress, when not nil, is called after each step, never twice at a time; nb.Progress
	// shows it. A run that is interrupted calls it once more, with total lowered to done.
	Progress func(done, total int)
}

// defaults returns settings without zeros, and an error for what is out of range.
func (s *Settings) defaults(repeats int) (*Settings, error) {
	if s == nil || s.Src == nil {
		return nil, fmt.Errorf("validate: cases are dealt at random: set Src in Settings; %w", bn.ErrNoSource)
	}
	c := *s
	for _, n := range []struct {
		name           string
		value          *int
		least, without int
	}{{"Folds", &c.Folds, 2, 10}, {"Repeats", &c.Repeats, 1, repeats}, {"InnerFolds", &c.InnerFolds, 2, 10}} {
		if *n.value == 0 {
			*n.value = n.without
		}
		if *n.value < n.least {
			return nil, fmt.Errorf("validate: %s is %d; give %d or more, or 0 for %d", n.name, *n.value, n.least,
				n.without)
		}
	}
	if c.Repeats > mostRepeats {
		return nil, fmt.Errorf("validate: Repeats is %d; give %d or less", c.Repeats, mostRepeats)
	}
	if err := c.Criterion.check(); err != nil {
		return nil, err
	}
	if c.Fit != nil && c.Fit.HeldOut != nil {
		return nil, errors.New("validate: HeldOut in Settings.Fit would show all folds the same cases; leave it out")
	}
	if c.Context == nil {
		c.Context = context.Background()
	}
	return &c, nil
}

// fit are the settings of one fit. Folds are what runs in parallel, not fits.
func (s *Settings) fit() learn.Settings {
	var f learn.Settings
	if s.Fit != nil {
		f = *s.Fit
	}
	f.Workers, f.Progress = 1, nil
	return f
}
