package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// A Discretizer is a rule that gives a column its states. What depends on data is
// fitted on training rows; the result is applied to these and to new rows alike.
// [Cuts], [Quantiles], [EqualWidth], [Periods], [Order], [Merge] and [Steps] are
// discretizers. They use the weights of the rows.
type Discretizer interface {
	Fit(train *Table) (*Discretization, error)
}

// Steps fits discretizers in sequence, each on the result of the ones before.
type Steps []Discretizer

// Fit fits all steps.
func (s Steps) Fit(train *Table) (*Discretization, error) {
	all := &Discretization{}
	for _, d := range s {
		fitted, err := d.Fit(train)
		if err != nil {
			return nil, err
		}
		if train, err = fitted.Apply(train); err != nil {
			return nil, err
		}
		all.Columns = append(all.Columns, fitted.Columns...)
		all.Notes = append(all.Notes, fitted.Notes...)
	}
	return all, nil
}

// A Discretization is fitted. It can be applied to any table with the same columns
// and is stored as JSON with the network whose states it defines.
type Discretization struct {
	Columns []Binning `json:"columns"`         // applied in this order
	Notes   []string  `json:"notes,omitempty"` // on the fit, such as bins that coincided
}

// A Binning makes one column discrete. It has Cuts, for numbers, or From, for
// states.
type Binning struct {
	Column string   `json:"column"`
	States []string `json:"states"` // of the new column, lowest first
	// Cuts are ascending, one fewer than States. State i holds the numbers above
	// Cuts[i-1] and up to Cuts[i], the first and the last whatever lies outside.
	Cuts []float64 `json:"cuts,omitempty"`
	// LeftClosed puts a number that equals a cut into the upper state, not the
	// lower one.
	LeftClosed bool `json:"left_closed,omitempty"`
	// From lists, by new state, the states of the old column that become it.
	From [][]string `json:"from,omitempty"`
}

// Validate returns an error that names an invalid column and its defect.
func (d *Discretization) Validate() error {
	for _, b := range d.Columns {
		if err := b.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (b *Binning) validate() error {
	v := bn.Variable{Name: b.Column, States: b.States}
	if v.States == nil {
		v.States = []string{}
	}
	if err := v.Validate(); err != nil {
		return say.Errorf("data: discretisation: %w", err)
	}
	if (b.From == nil) == (b.Cuts == nil) {
		return say.Errorf("data: the discretisation of column %q needs either cut points or states", b.Column)
	}
	if b.From == nil {
		if err := checkCuts(b.Column, b.Cuts); err != nil {
			return err
		}
		if len(b.Cuts) != len(b.States)-1 {
			return say.Errorf("data: column %q: %d cut points make %d bins, there are %d names", b.Column, len(b.Cuts),
				len(b.Cuts)+1, len(b.States))
		}
		return nil
	}
	if len(b.From) != len(b.States) {
		return say.Errorf("data: column %q: %d groups of states for %d names", b.Column, len(b.From), len(b.States))
	}
	_, err := b.number()
	return err
}

func checkCuts(column string, cuts []float64) error {
	if len(cuts) == 0 {
		return say.Errorf("data: column %q: no cut points", column)
	}
	for i, c := range cuts {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return say.Errorf("data: column %q: cut point %d is %v, %w", column, i+1, c, ErrNumber)
		}
		if i > 0 && !(c > cuts[i-1]) {
			return say.Errorf("data: column %q: the cut points %v are not ascending", column, cuts)
		}
	}
	return nil
}

// number returns the new state of each old one.
func (b *Binning) number() (map[string]bn.State, error) {
	number := make(map[string]bn.State)
	for s, group := range b.From {
		for _, old := range group {
			if _, ok := number[old]; ok {
				return nil, say.Errorf("data: column %q: %w: state %q appears twice", b.Column, bn.ErrDuplicate, old)
			}
			number[old] = bn.State(s)
		}
	}
	return number, nil
}

// UnmarshalJSON reads what json.Marshal wrote and validates it.
func (d *Discretization) UnmarshalJSON(b []byte) error {
	type plain Discretization
	var p plain
	if err := notnull.Unmarshal(b, &p); err != nil {
		return err
	}
	read := Discretization(p)
	if err := read.Validate(); err != nil {
		return err
	}
	*d = read
	return nil
}

// Variables returns the discrete variables that the discretisation creates, in the
// order of their first step.
func (d *Discretization) Variables() []bn.Variable {
	var vars []bn.Variable
	for _, b := range d.Columns {
		v := bn.Discrete(b.Column, slices.Clone(b.States)...)
		if i := slices.IndexFunc(vars, func(w bn.Variable) bool { return w.Name == b.Column }); i >= 0 {
			vars[i] = v
		} else {
			vars = append(vars, v)
		}
	}
	return vars
}

// Apply returns t with its columns discretised in place; the others share
// memory with t. Missing cells stay missing, and numbers outside the range of the
// training rows go to the end bins. Cut points are also applied to a discrete
// column when the names of its states are numbers, as a CSV with few different
// values gives, or dates and times, as seconds since 1970 (see [Periods]). It
// returns an error for a column that t does not have
// ([bn.ErrUnknownVariable]), and a [*ValueError] for a state that is not named
// ([bn.ErrUnknownState]) or is no number ([ErrNumber]).
func (d *Discretization) Apply(t *Table) (*Table, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	cols := t.Columns()
	for i := range d.Columns {
		b := &d.Columns[i]
		at, err := t.find(b.Column)
		if err != nil {
			return nil, err
		}
		states, err := b.apply(cols[at])
		if err != nil {
			return nil, err
		}
		cols[at] = Column{Var: bn.Discrete(b.Column, slices.Clone(b.States)...), States: states}
	}
	u, err := New(cols...)
	if err != nil {
		return nil, err
	}
	u.weights, u.regimes, u.regime = t.weights, t.regimes, t.regime
	return u, nil
}

func (b *Binning) apply(c Column) ([]bn.State, error) {
	if b.From != nil {
		return b.applyFrom(c)
	}
	if !c.Var.IsDiscrete() {
		states := make([]bn.State, len(c.Values))
		for row, x := range c.Values {
			states[row] = b.bin(x)
		}
		return states, nil
	}
	bins := make([]bn.State, c.Var.Cardinality())
	isNumber := make([]bool, len(bins))
	for s, name := range c.Var.States {
		x, ok := cutAt(name)
		bins[s], isNumber[s] = b.bin(x), ok
	}
	states := make([]bn.State, len(c.States))
	for row, s := range c.States {
		switch {
		case s == bn.Missing:
			states[row] = s
		case !isNumber[s]:
			return nil, &ValueError{Row: row + 1, Name: b.Column, Value: c.Var.States[s],
				Err: fmt.Errorf("%w, and the column is to be cut at numbers", ErrNumber)}
		default:
			states[row] = bins[s]
		}
	}
	return states, nil
}

// bin returns the state of a number.
func (b *Binning) bin(x float64) bn.State {
	if math.IsNaN(x) {
		return bn.Missing
	}
	at, equal := slices.BinarySearch(b.Cuts, x)
	if equal && b.LeftClosed {
		at++
	}
	return bn.State(at)
}

func (b *Binning) applyFrom(c Column) ([]bn.State, error) {
	number, err := b.number()
	if err != nil {
		return nil, err
	}
	states := make([]bn.State, c.Len())
	for row := range states {
		if c.IsMissing(row) {
			states[row] = bn.Missing
			continue
		}
		s, ok := number[c.Text(row)]
		if !ok {
			return nil, &ValueError{Row: row + 1, Name: b.Column, Value: c.Text(row),
				Err: fmt.Errorf("%w; the discretisation names no such state", bn.ErrUnknownState)}
		}
		states[row] = s
	}
	return states, nil
}

// binNames names the bins of cut points, as in "<=2", "2..5", ">5", or "<2",
// "2..5", ">=5" when they are closed on the left. Numbers are cut to as few
// digits, four or more, as keep them apart.
func binNames(cuts []float64, leftClosed bool) []string {
	var at []string
	for digits := 4; ; digits++ {
		at = at[:0]
		for _, c := range cuts {
			x, err := strconv.ParseFloat(strconv.FormatFloat(c, 'g', digits, 64), 64)
			if err != nil { // rounded up beyond the largest number
				x = c
			}
			at = append(at, strconv.FormatFloat(x+0, 'g', -1, 64)) // −0 + 0 = 0
		}
		if digits >= 17 || len(slices.Compact(slices.Clone(at))) == len(at) {
			break
		}
	}
	return betweenNames(at, leftClosed)
}

// betweenNames names the bins between the texts of cut points.
func betweenNames(at []string, leftClosed bool) []string {
	low, high := "<=", ">"
	if leftClosed {
		low, high = "<", ">="
	}
	names := []string{low + at[0]}
	for i := range at[1:] {
		names = append(names, at[i]+".."+at[i+1])
	}
	return append(names, high+at[len(at)-1])
}
