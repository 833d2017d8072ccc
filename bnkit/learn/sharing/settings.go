package sharing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Settings are the settings of the search for groups. Nil means the defaults.
type Settings struct {
	// CrossValidate takes the number of groups that predicts best, in place of the grouping with the
	// greatest marginal likelihood: for each fold the groupings are found without its cases and score them;
	// the grouping returned is the one of that many groups on all cases.
	CrossValidate bool
	// Alpha is the Dirichlet count α of each table entry without sharing. 0 means 1, the
	// uniform prior. In terms of learn.MAP it is a pseudocount plus one.
	Alpha float64
	// Restrict chooses the prior under sharing. When not set, a group of k states has the
	// Dirichlet count kα, so that its probability is distributed as without sharing, and
	// a class of distributions has the prior of one distribution: these exist for every
	// α. When set, the density of the cells is restricted to the statement, as learn.MAP
	// does it: a parameter in k cells has the count k(α − 1) + 1, which must be positive.
	// For classes of whole distributions and α = 1 both are the same.
	Restrict bool
	// Folds of the cross-validation, 0 means 10.
	// 10,000 are the most.
	Folds int
	// Runs averages over runs of neighbouring states, or rows, in their order, for [Groups.Average]: say it of an
	// ordinal variable whose neighbours are plausibly tied. What is picked does not depend on it.
	Runs bool
	// Seed and Stream deal the cases into folds, by the random numbers of rand.NewPCG(Seed, Stream). Seed is also
	// that of an [Average] that is sampled.
	Seed, Stream uint64
	// Progress, when not nil, is called by [GroupAll] after each table; nb.Progress shows it. A search
	// that is interrupted calls it once more, with total lowered to done.
	Progress func(done, total int)
}

var errNoNetwork = errors.New("sharing: no network; make one with bn.New and check its error")

// maxCases and maxAlpha keep sums of logarithms of the gamma function finite and
// their differences meaningful; maxMembers keeps the search within a gigabyte, and is the most
// folds too.
const (
	maxCases   = 1e12
	maxAlpha   = 1e9
	maxMembers = 10_000
)

// A search has settings without zeros, and the stream of its folds.
type search struct {
	Settings
	src rand.Source
}

// begin returns a search with the defaults filled in, and an error for what is out of range.
func (g *Settings) begin() (*search, error) {
	var s search
	if g != nil {
		s.Settings = *g
	}
	if s.Alpha == 0 {
		s.Alpha = 1
	}
	if s.Folds == 0 {
		s.Folds = 10
	}
	s.src = rand.NewPCG(s.Seed, s.Stream)
	switch {
	case !(s.Alpha > 0 && s.Alpha <= maxAlpha):
		return nil, say.Errorf("sharing: the Dirichlet count %v is not positive and at most %g", s.Alpha, maxAlpha)
	case s.CrossValidate && s.Folds < 2:
		return nil, fmt.Errorf("sharing: %d folds; cross-validation needs at least 2", s.Folds)
	case s.CrossValidate && s.Folds > maxMembers:
		return nil, fmt.Errorf("sharing: %d folds; give %d or fewer", s.Folds, maxMembers)
	}
	return &s, nil
}

// count is the Dirichlet count of a parameter that stands for so many states in each of
// so many distributions.
func (s Settings) count(states, rows int) float64 {
	if s.Restrict {
		return float64(states)*float64(rows)*(s.Alpha-1) + 1
	}
	return float64(states) * s.Alpha
}

// feasible returns an error when there are too many members to group, or the largest
// group possible, of so many states in so many distributions, has no proper prior.
func (s Settings) feasible(name string, members, states, rows int) error {
	if members > maxMembers {
		return say.Errorf("sharing: %q: %d states or parent configurations are too many to compare; %d are the "+
			"most", name, members, maxMembers)
	}
	if a := s.count(states, rows); !(a > 0) {
		return say.Errorf("sharing: %q: the Dirichlet count %v of each entry restricted to a parameter in %d "+
			"entries is %v, not positive; leave Restrict unset, or give an Alpha of at least 1", name, s.Alpha,
			states*rows, a)
	}
	return nil
}

// family returns the table of the named variable and its counts, checked.
func (s Settings) family(net *bn.Network, counts *data.Counts, name string) (*bn.CPT, []float64, error) {
	if net == nil {
		return nil, nil, errNoNetwork
	}
	t, err := net.Table(name)
	if err != nil {
		return nil, nil, say.Errorf("sharing: %w", err)
	}
	if counts == nil {
		return nil, nil, errors.New("sharing: no counts")
	}
	if layout := net.Layout(); len(counts.N) != layout.Len() || !reflect.DeepEqual(counts.Layout, layout) {
		return nil, nil, errors.New("sharing: the counts are of another network; count with data.Count for " +
			"this one")
	}
	v, err := net.Index(name)
	if err != nil {
		return nil, nil, say.Errorf("sharing: %w", err)
	}
	n := counts.Family(v)
	lo, _ := counts.Layout.Family(v)
	total := 0.0
	for i, x := range n {
		total += x
		reason := ""
		switch {
		case !(x >= 0) || math.IsInf(x, 1):
			reason = "counts must be finite and not negative"
		case total > maxCases:
			reason = fmt.Sprintf("more than %g cases cannot be compared", maxCases)
		case s.CrossValidate && x != math.Trunc(x):
			reason = "cross-validation deals out whole cases; leave CrossValidate out for weights"
		default:
			continue
		}
		problem, err := constraint.Compile(net)
		if err != nil {
			return nil, nil, say.Errorf("sharing: %w", err)
		}
		return nil, nil, say.Errorf("sharing: the count of P(%s) is %v; %s", problem.Name(lo+i), x, reason)
	}
	return t, n, nil
}

// A grouper partitions its members, states or distributions, by their counts.
type grouper interface {
	// path returns a partition for each number of classes, and the error of a context that ends it.
	path(ctx context.Context, n []float64) (path, error)
	// predict writes the posterior mean of each cell under a partition.
	predict(dst, n []float64, classes [][]int)
}

// A path is a partition into m classes for each m from 1 to the number of members.
type path struct {
	logMarginal []float64 // with m classes at m − 1
	classes     func(m int) [][]int
}

// choose finds the partition of the members of p that the selection prefers. Partitions
// that differ by rounding are equal, and the finest of them is taken, so that nothing is
// shared without evidence.
func (s *search) choose(ctx context.Context, p grouper, n []float64) (*Groups, error) {
	found, err := p.path(ctx, n)
	if err != nil {
		return nil, err
	}
	size := num.Sum(n) + s.Alpha*float64(len(n))
	rounding := 1e-13 * size * math.Log(2+size)
	score := found.logMarginal
	var heldOut []float64
	if s.CrossValidate {
		if heldOut, err = s.heldOut(ctx, p, n); err != nil {
			return nil, err
		}
		score = heldOut
	}
	best := math.Inf(-1)
	for _, x := range score {
		best = max(best, x)
	}
	m := len(score)
	for score[m-1] < best-rounding {
		m--
	}
	out := &Groups{
		Classes:     found.classes(m),
		LogMarginal: found.logMarginal[m-1],
		Separate:    found.logMarginal[len(score)-1],
		Path:        make([]Step, len(score)),
	}
	for i := range out.Path {
		out.Path[i] = Step{Groups: i + 1, LogMarginal: found.logMarginal[i]}
		if heldOut != nil {
			out.Path[i].HeldOut = heldOut[i]
		}
	}
	return out, nil
}
