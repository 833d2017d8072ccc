package sqldata

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/instant"
	"bnlab/internal/say"
)

// A column turns values of the database into states of a variable.
type column struct {
	name     string // in the table
	kind     kind
	variable bn.Variable
	missing  []string
	// continuous: the variable has no states; it is summed, not counted.
	continuous bool

	hash  *hash                // of the Key, in place of a column
	cuts  *data.Binning        // applied by the database, which gives the number of the bin
	bins  []bn.State           // by number of the bin
	after *data.Discretization // of what else has become of texts; nil

	mu    sync.RWMutex
	texts map[string]bn.State // met so far
}

// badBin is the bin of a number that is infinite.
const badBin = -1

// discretize notes what the steps of a discretisation do with the column.
func (c *column) discretize(steps []data.Binning) error {
	if steps[0].From == nil {
		if !c.kind.isNumber() {
			return say.Errorf("sqldata: column %q is to be cut at numbers, and its type is not one of numbers or "+
				"times; make it one in a Query by CAST", c.name)
		}
		c.cuts, steps = &steps[0], steps[1:]
		c.variable = bn.Discrete(c.variable.Name, slices.Clone(c.cuts.States)...)
		c.bins = make([]bn.State, len(c.cuts.States))
		for i := range c.bins {
			c.bins[i] = bn.State(i)
		}
		if len(steps) == 0 {
			return nil
		}
		t, err := apply(steps, data.Column{Var: c.variable, States: c.bins})
		if err != nil {
			return err
		}
		c.bins, c.variable = t.States, t.Var
		return nil
	}
	c.after = &data.Discretization{Columns: steps}
	c.variable = bn.Discrete(c.variable.Name, slices.Clone(steps[len(steps)-1].States)...)
	return nil
}

// apply discretises one column.
func apply(steps []data.Binning, c data.Column) (data.Column, error) {
	t, err := data.New(c)
	if err == nil {
		t, err = (&data.Discretization{Columns: steps}).Apply(t)
	}
	if err != nil {
		return data.Column{}, withoutRow(err)
	}
	return t.Column(c.Var.Name)
}

// withoutRow takes the row from the place of an error: a database numbers none.
func withoutRow(err error) error {
	var cell *data.ValueError
	if !errors.As(err, &cell) {
		return err
	}
	e := *cell
	e.Row = 0
	return &e
}

// state returns the state that a value means.
func (c *column) state(value any) (bn.State, error) {
	if value == nil {
		return bn.Missing, nil
	}
	if c.cuts != nil {
		bin, ok := integer(value)
		if ok && bin >= 0 && bin < int64(len(c.bins)) {
			return c.bins[bin], nil
		}
		return 0, c.infinite()
	}
	text, ok := c.textOf(value)
	if !ok {
		return 0, c.wrongType(value)
	}
	c.mu.RLock()
	s, known := c.texts[text]
	c.mu.RUnlock()
	if known {
		return s, nil
	}
	s, err := c.find(text)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	if c.texts == nil {
		c.texts = make(map[string]bn.State)
	}
	c.texts[text] = s
	c.mu.Unlock()
	return s, nil
}

// textOf prints a value as a state is named.
func (c *column) textOf(value any) (string, bool) {
	if c.kind == day || c.kind == moment {
		t, ok := value.(time.Time)
		return instant.Text(t, c.kind == day), ok
	}
	return textOf(value)
}

func (c *column) wrongType(value any) error {
	return say.Errorf("sqldata: column %q: %w: it gives values of the Go type %T; leave it out of Columns, or make "+
		"it text in a Query", c.name, errType, value)
}

func (c *column) infinite() error {
	return &data.ValueError{Name: c.name, Value: "an infinite number", Err: data.ErrNumber}
}

// find looks a text up: as it is, without the white space around it, with the ends of its lines
// as a CSV file has them, and among the signs for a missing value.
func (c *column) find(text string) (bn.State, error) {
	label := text
	if !c.names(label) {
		if label = strings.TrimSpace(text); !c.names(label) {
			label = strings.ReplaceAll(label, "\r\n", "\n")
		}
		if !c.names(label) && (label == "" || slices.Contains(c.missing, label)) {
			return bn.Missing, nil
		}
	}
	if c.after != nil {
		one, err := apply(c.after.Columns, data.Column{Var: bn.Discrete(c.variable.Name, label), States: []bn.State{0}})
		if err != nil {
			return 0, err
		}
		return one.States[0], nil
	}
	s, err := c.variable.StateIndex(label)
	if err != nil {
		return 0, &data.ValueError{Name: c.name, Value: label,
			Err: say.Errorf("%w; add the state to States in Options, or mend it in a Query", err)}
	}
	return bn.State(s), nil
}

// names reports whether a text is named among the states, or those before merging.
func (c *column) names(text string) bool {
	if c.after == nil {
		return slices.Contains(c.variable.States, text)
	}
	return slices.ContainsFunc(c.after.Columns[0].From,
		func(group []string) bool { return slices.Contains(group, text) })
}
