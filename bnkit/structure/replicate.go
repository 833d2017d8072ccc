package structure

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A replicate is one of those that are counted together.
type replicate struct {
	*together
	number int
}

var _ data.Source = replicate{}

// Variables implements [data.Source].
func (r replicate) Variables() []bn.Variable { return r.vars }

// TotalWeight implements [data.Source].
func (r replicate) TotalWeight() float64 { return r.weights[r.number] }

// CountFamilies implements [data.Source].
func (r replicate) CountFamilies(ctx context.Context, families []data.Family, opts *data.CountOptions) (
	[]data.FamilyCounts, error) {
	return r.of(ctx, r.number, families, opts)
}

// DistinctRows implements [data.Source].
func (r replicate) DistinctRows(context.Context, ...string) (*data.Table, error) {
	return nil, errors.New("structure: replicates that a database draws have counts, and no rows; leave out the Key " +
		"of sqldata.Options, and they are drawn here from the distinct rows")
}

// A roundError is what counting ended with, in some replicates at once.
type roundError struct {
	from, to int
	error
}

func (e *roundError) Error() string {
	if e.to == e.from+1 {
		return say.Sprintf("replicate %d: %v", e.to, e.error)
	}
	return say.Sprintf("replicates %d to %d, counted at once: %v", e.from+1, e.to, e.error)
}

func (e *roundError) Unwrap() error { return e.error }

// varies is a note on few keys. A key with m of N rows adds m times a number of variance 1 to the weight of a
// replicate, so that its standard deviation is √(Σ m²), √k/k of N for k keys with as many rows each.
func (t *together) varies(total float64) string {
	sum := 0.0
	for _, w := range t.weights {
		sum += (w - total) * (w - total)
	}
	if share := math.Sqrt(sum/float64(len(t.weights))) / total; share > mostVaried {
		return fmt.Sprintf("the replicates' numbers of cases differ from %v by %.0f %% (root mean square), as those "+
			"of %.0f keys do: with so few, strengths are of samples smaller and larger than the cases; without a Key "+
			"each replicate has as many", total, 100*share, 1/(share*share))
	}
	return ""
}

// mostVaried is the share by which replicates may differ in size without a note: that of 100 keys.
const mostVaried = 0.1
