package validate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/isotonic"
	"bnlab/internal/say"
)

// A Size is a number of training cases, or a bound where the learning curve ends.
type Size struct {
	Cases float64
	// Beyond is 0 for the number itself, +1 for at least Cases, the largest size tried, and −1
	// for fewer than Cases, the smallest.
	Beyond int
}

// String prints "47", "at least 200" or "fewer than 10".
func (s Size) String() string {
	switch {
	case s.Beyond > 0:
		return fmt.Sprintf("at least %.0f", s.Cases)
	case s.Beyond < 0:
		return fmt.Sprintf("fewer than %.0f", s.Cases)
	}
	return fmt.Sprintf("%.0f", s.Cases)
}

func (s Size) compare(other Size) int {
	return cmp.Or(cmp.Compare(s.Beyond, other.Beyond), cmp.Compare(s.Cases, other.Cases))
}

// An Equivalent is the number of cases that a learner without knowledge needs to be as good as one
// with knowledge at Cases.
type Equivalent struct {
	Cases int
	Value float64 // of the measure, reached there
	Size  Size
	// Low and High are the 5th and 95th percentile over bootstrap samples of the draws.
	Low, High Size
}

// A SampleSizeEquivalence is the equivalent sample size of the knowledge of one learner relative to
// another. It prints as a line for each size. (N06 §5.1, Table 1.)
type SampleSizeEquivalence struct {
	Without, With string // learners
	By            Measure
	Sizes         []Equivalent
	Curve         *Curve // behind it
}

// bootstraps is the number of bootstrap samples of the draws.
const bootstraps = 1000

// EquivalentSampleSize returns how many cases knowledge is worth: the number of cases at which the
// learner without knowledge is as good as the learner with knowledge at each of the sizes, by the
// Criterion of the settings. See [LearningCurve] for the sizes and [Curve.EquivalentSampleSize] for
// the numbers and the errors.
func EquivalentSampleSize(ctx context.Context, net *bn.Network, t *data.Table, target string, without, with Learner,
	sizes []int, set *Settings) (*SampleSizeEquivalence, error) {
	c, src, err := learningCurve(ctx, net, t, target, []Learner{without, with}, sizes, set)
	if err != nil {
		return nil, err
	}
	var by Measure
	if set != nil {
		by = set.Criterion
	}
	return c.EquivalentSampleSize(without.Name, with.Name, by, src)
}

// EquivalentSampleSize returns, from the curve, the sizes at which the learner without knowledge is
// as good as the one with knowledge. Means over draws are made monotone in the size (isotonic
// regression) and interpolated linearly in the logarithm of the size. Beyond the sizes of the curve
// there are only bounds. The bands come from 1,000 bootstrap samples of the draws, paired over
// learners; since the draws come from the same cases, they do not cover variation between samples
// of cases. Sizes without an AUC are left out.
//
// It returns an error for an unknown learner or measure, no source, fewer than two sizes and a
// log score of −Inf.
func (c *Curve) EquivalentSampleSize(without, with string, by Measure, src rand.Source) (*SampleSizeEquivalence,
	error) {
	if src == nil {
		return nil, fmt.Errorf("validate: the band is computed by bootstrap; %w", bn.ErrNoSource)
	}
	if err := by.check(); err != nil {
		return nil, err
	}
	base, err := c.learner(without)
	if err != nil {
		return nil, err
	}
	informed, err := c.learner(with)
	if err != nil {
		return nil, err
	}
	r := &reader{learners: [2]*LearnerCurve{base, informed}, by: by}
	for k, size := range c.Sizes {
		if base.Measure(by)[k].N < c.Draws {
			continue
		}
		for _, l := range r.learners {
			if math.IsInf(l.Measure(by)[k].Mean, 0) {
				return nil, say.Errorf("validate: %q has the log score −Inf at %d cases, as it held impossible what "+
					"occurred; give pseudocounts, leave out the size, or go by AUC", l.Name, size)
			}
		}
		r.at, r.sizes = append(r.at, k), append(r.sizes, float64(size))
	}
	if len(r.at) < 2 {
		return nil, errors.New("validate: a learning curve of fewer than two sizes with a value says nothing between " +
			"them; give more sizes")
	}
	draws := make([]int, c.Draws)
	for i := range draws {
		draws[i] = i
	}
	sizes, values, err := r.read(draws)
	if err != nil {
		return nil, err
	}
	rng := rand.New(src)
	samples := make([][]Size, len(sizes)) // by size and then sample
	for range bootstraps {
		for i := range draws {
			draws[i] = rng.IntN(c.Draws)
		}
		found, _, err := r.read(draws)
		if err != nil {
			return nil, err
		}
		for k, x := range found {
			samples[k] = append(samples[k], x)
		}
	}
	w := &SampleSizeEquivalence{Without: without, With: with, By: by, Curve: c}
	for k, size := range sizes {
		slices.SortFunc(samples[k], Size.compare)
		w.Sizes = append(w.Sizes, Equivalent{
			Cases: int(r.sizes[k]), Value: values[k], Size: size,
			Low: samples[k][bootstraps/20-1], High: samples[k][bootstraps*19/20-1],
		})
	}
	return w, nil
}

// A reader reads sizes off mean curves.
type reader struct {
	learners [2]*LearnerCurve // without knowledge and with it
	by       Measure
	at       []int // the sizes that have values
	sizes    []float64
	smooth   isotonic.Workspace
}

// read returns the equivalent sizes by some draws, and the values of the learner with knowledge.
func (r *reader) read(draws []int) ([]Size, []float64, error) {
	var curves [2][]float64
	for i, l := range r.learners {
		mean, weights := make([]float64, len(r.at)), make([]float64, len(r.at))
		for k, at := range r.at {
			for _, draw := range draws {
				x, _ := l.Scores[draw][at].of(r.by)
				mean[k] += x / float64(len(draws))
			}
			weights[k] = 1
		}
		if err := r.smooth.Chain(mean, mean, weights); err != nil {
			return nil, nil, say.Errorf("validate: %w", err)
		}
		curves[i] = mean
	}
	out := make([]Size, len(r.at))
	for k, value := range curves[1] {
		out[k] = reach(r.sizes, curves[0], value)
	}
	return out, curves[1], nil
}

// reach is the least size at which a rising curve has the value.
func reach(sizes, curve []float64, value float64) Size {
	last := len(sizes) - 1
	k, _ := slices.BinarySearch(curve, value) // the first that is not below
	switch {
	case k > last:
		return Size{Cases: sizes[last], Beyond: 1}
	case k == 0 && value < curve[0]:
		return Size{Cases: sizes[0], Beyond: -1}
	case k == 0:
		return Size{Cases: sizes[0]}
	}
	share := (value - curve[k-1]) / (curve[k] - curve[k-1])
	return Size{Cases: sizes[k-1] * math.Pow(sizes[k]/sizes[k-1], share)}
}

// String prints a line for each size, and warnings, without a band where that is the same bound, or of a single draw.
func (w *SampleSizeEquivalence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "what %s knows is worth, by %v against %s:", w.With, w.By, w.Without)
	if c := w.Curve; c != nil && c.Interrupted {
		fmt.Fprintf(&b, " (interrupted after %d of %d draws)", c.Draws, c.Planned)
	}
	for _, e := range w.Sizes {
		fmt.Fprintf(&b, "\n%d cases with it are as good as %v without it", e.Cases, e.Size)
		if w.Curve != nil && w.Curve.Draws == 1 {
			continue // of which a bootstrap has no spread
		}
		if e.Size.Beyond == 0 || e.Low != e.Size || e.High != e.Size {
			fmt.Fprintf(&b, " (5 to 95 %%: %v to %v)", e.Low, e.High)
		}
	}
	if c := w.Curve; c != nil {
		for _, line := range c.Warnings {
			if w.By == AUC || !strings.HasPrefix(line, noAUC) {
				b.WriteString("\nwarning: " + line)
			}
		}
	}
	return b.String()
}
