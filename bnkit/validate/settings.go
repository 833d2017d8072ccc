package validate

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// A Measure is a score of predictions of the target; higher is better.
type Measure int

const (
	// LogScore is the mean of log P(what occurred | rest), in nats per case.
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
		return say.Errorf("validate: the criterion %v is unknown; take LogScore, AUC or Accuracy", m)
	}
	return nil
}

// mostRepeats is more than any question needs, and what there is memory for.
const mostRepeats = 1_000_000

// Settings are the settings of a validation. Nil means the defaults.
type Settings struct {
	// Seed deals the cases into folds and drives methods that are random, by the stream
	// rand.NewPCG(Seed, Stream). Stream is for programs that validate many times by one seed.
	Seed, Stream uint64
	// Folds of [CrossValidate]; 0 means 10. A learning curve has none.
	Folds int
	// Repeats is the number of random splits of the cases; 0 means 1 for CrossValidate and 100, at
	// each size, for [LearningCurve]. A million is the most.
	Repeats int
	// InnerFolds are the folds of the training cases in which candidates are compared; 0 means 10.
	// With fewer training cases it is leave-one-out.
	InnerFolds int
	// Criterion selects among candidates, and is the measure of [EquivalentSampleSize].
	Criterion Measure
	// Positive is the state of the target whose probability ranks the cases for AUC, against
	// all other states. Empty is the last of two; a target of more states then has no AUC.
	Positive string
	// Discretization, when not nil, is applied to the table first. Cut points fitted to all cases
	// leak information from the test cases: take them from elsewhere.
	Discretization *data.Discretization
	// Intervened names the column that says which variables were set in a row by intervention, for verbs on frames
	// (bnkit.CrossValidate); see bnkit.Settings. A table has its own record ([data.Table.WithInterventions]).
	Intervened string
	// Fit are the settings of fits by rows: SkipMissing, and those of iterative methods. Seed,
	// Workers, Progress and HeldOut are not for it: fits are driven by the Seed above, and folds
	// run in parallel.
	Fit *learn.Settings
	// Workers bounds the number of processors; 0 means all. Results do not depend on it.
	Workers int
	// Progress, when not nil, is called after each step, never twice at a time; nb.Progress
	// shows it. A run that is interrupted calls it once more, with total lowered to done.
	Progress func(done, total int)
}

// defaults returns settings without zeros, and an error for what is out of range.
func (s *Settings) defaults(repeats int) (*Settings, error) {
	var c Settings
	if s != nil {
		c = *s
	}
	for _, n := range []struct {
		name           string
		value          *int
		least, without int
	}{{"Folds", &c.Folds, 2, 10}, {"Repeats", &c.Repeats, 1, repeats}, {"InnerFolds", &c.InnerFolds, 2, 10}} {
		if *n.value == 0 {
			*n.value = n.without
		}
		if *n.value < n.least {
			return nil, say.Errorf("validate: %s is %d; give %d or more, or 0 for %d", n.name, *n.value, n.least,
				n.without)
		}
	}
	if c.Repeats > mostRepeats {
		return nil, fmt.Errorf("validate: Repeats is %d; give %d or less", c.Repeats, mostRepeats)
	}
	if err := c.Criterion.check(); err != nil {
		return nil, err
	}
	return &c, c.checkFit()
}

// checkFit returns an error for what a fit in a fold has no use for.
func (s *Settings) checkFit() error {
	switch f := s.Fit; {
	case f == nil:
		return nil
	case f.HeldOut != nil:
		return errors.New("validate: HeldOut in Settings.Fit would show all folds the same cases; leave it out")
	case f.Seed != 0 || f.Stream != 0:
		return errors.New("validate: Settings.Fit has a Seed or a Stream, and fits are driven by the Seed of the " +
			"validation; leave it out")
	case f.Workers != 0:
		return errors.New("validate: Settings.Fit has Workers, and folds are what runs in parallel; give them to " +
			"Settings instead")
	case f.Progress != nil:
		return errors.New("validate: Settings.Fit has a Progress, and folds are what is counted; give it to Settings " +
			"instead")
	}
	return nil
}

// curveDefaults is defaults for a learning curve.
func (s *Settings) curveDefaults() (*Settings, error) {
	if s != nil && s.Folds != 0 {
		return nil, fmt.Errorf("validate: Folds is %d, and a learning curve has no folds; leave it out, or set "+
			"InnerFolds to compare candidates", s.Folds)
	}
	return s.defaults(100)
}

// source is the stream that seeds repeats.
func (s *Settings) source() rand.Source { return rand.NewPCG(s.Seed, s.Stream) }

// fit are the settings of one fit. Folds are what runs in parallel, not fits.
func (s *Settings) fit() learn.Settings {
	var f learn.Settings
	if s.Fit != nil {
		f = *s.Fit
	}
	f.Workers = 1
	return f
}
