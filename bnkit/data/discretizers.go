package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Cuts discretises a column at cut points known beforehand. With cuts 2 and 5 the
// bins are (−∞, 2], (2, 5] and (5, ∞), or (−∞, 2), [2, 5) and [5, ∞) when
// LeftClosed. Names of the bins may be left out: "<=2", "2..5", ">5".
type Cuts struct {
	Column     string
	Cuts       []float64 // ascending, in the unit of the column
	Names      []string  // lowest first, one more than Cuts
	LeftClosed bool
}

// Quantiles discretises a column into bins with about equal numbers of training
// rows, by the sample quantiles i/Bins (linear interpolation, type 7 of Hyndman and Fan
// 1996, as in R). Cut points that coincide because of ties, and those that would
// leave a bin without a training row, are dropped and reported in Notes.
type Quantiles struct {
	Column     string
	Bins       int
	Names      []string // lowest first, as many as there are bins
	LeftClosed bool
}

// EqualWidth discretises a column into bins of equal width between the smallest
// and the largest value of the training rows.
type EqualWidth struct {
	Column     string
	Bins       int
	Names      []string // lowest first, as many as there are bins
	LeftClosed bool
}

// Order orders the states of a discrete column, lowest first. States without
// training rows may be named; every state that occurs must be.
type Order struct {
	Column string
	States []string
}

// Merge merges states of a discrete column into new ones, lowest first.
type Merge struct {
	Column string
	Groups []Group
}

// A Group is a new state and the old ones that become it.
type Group struct {
	Name   string
	States []string
}

var _ = []Discretizer{Cuts{}, Quantiles{}, EqualWidth{}, Order{}, Merge{}, Steps{}}

// Fit checks the cut points and notes bins without training rows.
func (c Cuts) Fit(train *Table) (*Discretization, error) {
	if err := checkCuts(c.Column, c.Cuts); err != nil {
		return nil, err
	}
	return fitCuts(train, c.Column, slices.Clone(c.Cuts), c.Names, c.LeftClosed, nil)
}

// Fit finds the cut points. It returns an error when there are fewer than two
// bins, no values or only one ([errConstant]), another number of names than
// bins, or weights that sum to one row or less, or to no number.
func (q Quantiles) Fit(train *Table) (*Discretization, error) {
	s, err := spectrumOf(train, q.Column, q.Bins)
	if err != nil {
		return nil, err
	}
	if total := s.upTo[len(s.upTo)-1]; !(total > 1 && total <= math.MaxFloat64) {
		return nil, say.Errorf("data: column %q has no quantiles: the weights of its training rows sum to %v; scale "+
			"them so that a row of weight 1 counts as one row", q.Column, total)
	}
	var cuts []float64
	for i := 1; i < q.Bins; i++ {
		cut := s.quantile(float64(i) / float64(q.Bins))
		if n := len(cuts); n == 0 || s.hasWithin(cuts[n-1], cut, q.LeftClosed) {
			cuts = append(cuts, cut)
		}
	}
	return s.fit(train, q.Column, cuts, q.Bins, q.Names, q.LeftClosed)
}

// Fit finds the cut points. Errors are those of [Quantiles.Fit].
func (w EqualWidth) Fit(train *Table) (*Discretization, error) {
	s, err := spectrumOf(train, w.Column, w.Bins)
	if err != nil {
		return nil, err
	}
	low, high := s.values[0], s.values[len(s.values)-1]
	var cuts []float64
	for i := 1; i < w.Bins; i++ {
		cut := low + (high-low)*float64(i)/float64(w.Bins)
		if math.IsInf(cut, 0) { // beyond the largest number on the way
			cut = between(low, high, float64(i)/float64(w.Bins))
		}
		cuts = append(cuts, cut)
	}
	return s.fit(train, w.Column, cuts, w.Bins, w.Names, w.LeftClosed)
}

// Fit checks that every state of the training rows is named.
func (o Order) Fit(train *Table) (*Discretization, error) {
	b := Binning{Column: o.Column, States: slices.Clone(o.States), From: make([][]string, len(o.States))}
	for i, s := range o.States {
		b.From[i] = []string{s}
	}
	return fitted(train, b, nil)
}

// Fit checks that every state of the training rows is in a group.
func (m Merge) Fit(train *Table) (*Discretization, error) {
	b := Binning{Column: m.Column, From: [][]string{}}
	for _, g := range m.Groups {
		b.States = append(b.States, g.Name)
		b.From = append(b.From, slices.Clone(g.States))
	}
	return fitted(train, b, nil)
}

// fitCuts makes the binning of cut points.
func fitCuts(train *Table, column string, cuts []float64, names []string, leftClosed bool,
	notes []string) (*Discretization, error) {
	if names == nil {
		names = binNames(cuts, leftClosed)
	}
	b := Binning{Column: column, States: slices.Clone(names), Cuts: cuts, LeftClosed: leftClosed}
	return fitted(train, b, notes)
}

// fitted tries a binning on the training rows and notes the states that none has.
func fitted(train *Table, b Binning, notes []string) (*Discretization, error) {
	d := &Discretization{Columns: []Binning{b}, Notes: notes}
	t, err := d.Apply(train)
	if err != nil {
		return nil, err
	}
	seen := make([]bool, len(b.States))
	for _, s := range t.cols[t.index[b.Column]].States {
		if s != bn.Missing {
			seen[s] = true
		}
	}
	for s, name := range b.States {
		if !seen[s] {
			d.Notes = append(d.Notes, fmt.Sprintf("column %q: no training row has the state %q", b.Column, name))
		}
	}
	return d, nil
}

// A spectrum is the different values of a column, ascending, and the weight up to
// and with each.
type spectrum struct {
	values, upTo []float64
}

func spectrumOf(train *Table, column string, bins int) (*spectrum, error) {
	c, err := train.Column(column)
	if err != nil {
		return nil, err
	}
	if bins < 2 {
		return nil, say.Errorf("data: column %q: %d bins, at least 2 are needed", column, bins)
	}
	if bins > bn.MaxStates {
		return nil, say.Errorf("data: column %q: %d bins, at most %d are possible", column, bins, bn.MaxStates)
	}
	values, err := numbersOf(c)
	if err != nil {
		return nil, err
	}
	type point struct{ x, w float64 }
	var points []point
	for row, x := range values {
		w := 1.0
		if train.weights != nil {
			w = train.weights[row]
		}
		if !math.IsNaN(x) && w > 0 {
			points = append(points, point{x, w})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	s := &spectrum{}
	total := 0.0
	for _, p := range points {
		total += p.w
		if n := len(s.values); n > 0 && s.values[n-1] == p.x {
			s.upTo[n-1] = total
		} else {
			s.values, s.upTo = append(s.values, p.x), append(s.upTo, total)
		}
	}
	switch len(s.values) {
	case 0:
		return nil, say.Errorf("data: column %q cannot be cut: no value in %d training rows: %w", column, train.rows,
			ErrNoRows)
	case 1:
		return nil, say.Errorf("data: column %q cannot be cut: %w, %v, in the training rows", column, errConstant,
			s.values[0])
	}
	return s, nil
}

// numbersOf returns the values of a column; the states of a discrete one must be
// numbers.
func numbersOf(c Column) ([]float64, error) {
	if !c.Var.IsDiscrete() {
		return c.Values, nil
	}
	values := make([]float64, len(c.States))
	for row := range values {
		values[row] = math.NaN()
		if c.IsMissing(row) {
			continue
		}
		x, ok := cutAt(c.Text(row))
		if !ok {
			return nil, &ValueError{Row: row + 1, Name: c.Var.Name, Value: c.Text(row),
				Err: fmt.Errorf("%w, and the column is to be cut at numbers", ErrNumber)}
		}
		values[row] = x
	}
	return values, nil
}

// quantile returns the type-7 quantile: with values sorted and a row of weight w
// standing for w equal rows, the value at position (W−1)p counted from 0,
// interpolated.
func (s *spectrum) quantile(p float64) float64 {
	at := max(s.upTo[len(s.upTo)-1]-1, 0) * p
	whole := math.Floor(at)
	low, high := s.at(whole), s.at(whole+1)
	return between(low, high, at-whole)
}

// between returns low + f·(high − low), also where the difference is no number.
func between(low, high, f float64) float64 {
	if d := high - low; d <= math.MaxFloat64 {
		return min(low+f*d, high)
	}
	return low*(1-f) + high*f
}

// at returns the value at a position.
func (s *spectrum) at(position float64) float64 {
	i, _ := slices.BinarySearchFunc(s.upTo, position, func(upTo, position float64) int {
		if upTo <= position {
			return -1
		}
		return 1
	})
	return s.values[min(i, len(s.values)-1)]
}

// hasWithin reports whether a value is in the bin of two cut points.
func (s *spectrum) hasWithin(low, high float64, leftClosed bool) bool {
	below := func(cut float64) int { // values in the bins below the cut
		i, found := slices.BinarySearch(s.values, cut)
		if found && !leftClosed {
			i++
		}
		return i
	}
	return below(low) < below(high)
}

// fit drops cut points that make no bin and makes the binning.
func (s *spectrum) fit(train *Table, column string, cuts []float64, bins int, names []string,
	leftClosed bool) (*Discretization, error) {
	low, high := s.values[0], s.values[len(s.values)-1]
	remedy := ""
	switch {
	case !leftClosed && slices.Contains(cuts, high):
		remedy = fmt.Sprintf("; LeftClosed cuts %v off as a bin of its own", high)
	case leftClosed && slices.Contains(cuts, low):
		remedy = fmt.Sprintf("; without LeftClosed %v is a bin of its own", low)
	}
	cuts = slices.Compact(cuts)
	cuts = slices.DeleteFunc(cuts, func(c float64) bool {
		if leftClosed {
			return !(c > low && c <= high)
		}
		return !(c >= low && c < high)
	})
	var notes []string
	if n := len(cuts) + 1; n < bins {
		notes = append(notes, fmt.Sprintf("column %q: %d bins instead of %d, because of many equal values%s", column, n,
			bins, remedy))
		if names != nil && len(names) != n {
			return nil, say.Errorf("data: %s; %d names were given", notes[0], len(names))
		}
	}
	if len(cuts) == 0 {
		return nil, say.Errorf("data: column %q cannot be cut into %d bins: all cut points fell on the end of the "+
			"training values%s", column, bins, remedy)
	}
	return fitCuts(train, column, cuts, names, leftClosed, notes)
}
