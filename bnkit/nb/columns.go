package nb

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/viz"
	"bnlab/internal/say"
)

// CurvesOf draws the columns of a frame, such as a result of an experiment, as [viz.Curves] draws numbers: y over x, a
// curve for each value of the column by, and a band from the column low to the column high.
//
//	nb.Show(nb.Must(nb.CurvesOf(df, "examples", "mean_kl_nats", "model", "p05", "p95", &viz.Axes{LogX: true})))
//
// An empty by means one curve; empty low and high mean no band. Curves come in the order in which the frame names
// them, and points in that of its rows; rows without an x or a y are left out, and so is a band that has no number.
// The names of the columns label axes that have no label; axes may be nil.
//
// It returns an error for a column that is missing or holds no numbers, for more than 12 curves, and those of
// [viz.Curves].
func CurvesOf(df dataframe.DataFrame, x, y, by, low, high string, axes *viz.Axes) (*viz.Figure, error) {
	c, err := newColumns(df, y, by, low, high)
	if err != nil {
		return nil, err
	}
	along, err := c.numbers(x)
	if err != nil {
		return nil, say.Errorf("%w; BarsOf draws a group of bars for each of its values", err)
	}
	curves := make([]viz.Series, len(c.names))
	for i, name := range c.names {
		curves[i].Name = name
	}
	for row, v := range c.y {
		if math.IsNaN(v) || math.IsNaN(along[row]) {
			continue
		}
		curve := &curves[c.of[row]]
		curve.X, curve.Y = append(curve.X, along[row]), append(curve.Y, v)
		if c.low != nil {
			curve.Lo, curve.Hi = append(curve.Lo, c.low[row]), append(curve.Hi, c.high[row])
		}
	}
	curves = slices.DeleteFunc(curves, func(s viz.Series) bool { return len(s.X) == 0 })
	for i, s := range curves {
		if allMissing(s.Lo) && allMissing(s.Hi) {
			curves[i].Lo, curves[i].Hi = nil, nil
		}
	}
	return viz.Curves(curves, labelled(axes, x, y))
}

// BarsOf draws the columns of a frame as [viz.Bars] draws numbers: a group for each value of the column x, in it a bar
// of height y for each value of the column by, and on it a whisker from the column low to the column high.
//
//	nb.Show(nb.Must(nb.BarsOf(df, "domain", "auc", "learner", "", "", nil)))
//
// Empty names, orders and labels are as in [CurvesOf]. Each group needs a row for each bar: a row that is missing, one
// that is there twice and a bar without a number are errors, and so are those of CurvesOf.
func BarsOf(df dataframe.DataFrame, x, y, by, low, high string, axes *viz.Axes) (*viz.Figure, error) {
	c, err := newColumns(df, y, by, low, high)
	if err != nil {
		return nil, err
	}
	if err := c.has(x); err != nil {
		return nil, err
	}
	groups, of := distinct(df.Col(x))
	bars := make([]viz.BarSeries, len(c.names))
	for i, name := range c.names {
		rows := make([]int, len(groups)) // and 1
		for row, k := range c.of {
			if k != i {
				continue
			}
			if before := rows[of[row]]; before > 0 {
				return nil, say.Errorf("nb: rows %d and %d are both of %s; select one of them, or name a column by "+
					"that tells them apart", before, row+1, placeOf(x, groups[of[row]], by, name))
			}
			rows[of[row]] = row + 1
		}
		bars[i].Name = name
		for g, row := range rows {
			if row == 0 {
				return nil, say.Errorf("nb: there is no row of %s", placeOf(x, groups[g], by, name))
			}
			bars[i].Values = append(bars[i].Values, c.y[row-1])
			if c.low != nil {
				bars[i].Lo, bars[i].Hi = append(bars[i].Lo, c.low[row-1]), append(bars[i].Hi, c.high[row-1])
			}
		}
		if allMissing(bars[i].Lo) && allMissing(bars[i].Hi) {
			bars[i].Lo, bars[i].Hi = nil, nil
		}
	}
	return viz.Bars(groups, bars, labelled(axes, x, y))
}

// placeOf says which bar it is.
func placeOf(x, group, by, name string) string {
	s := fmt.Sprintf("%s = %s", x, group)
	if by != "" {
		s += fmt.Sprintf(" and %s = %s", by, name)
	}
	return s
}

// columns are the numbers of a frame that are drawn, and by row the series that they belong to.
type columns struct {
	df           dataframe.DataFrame
	names        []string
	of           []int
	y, low, high []float64
}

func newColumns(df dataframe.DataFrame, y, by, low, high string) (*columns, error) {
	c := &columns{df: df}
	if df.Error() != nil {
		return nil, say.Errorf("nb: the frame carries an error: %w", df.Error())
	}
	if df.Nrow() == 0 {
		return nil, errors.New("nb: there are no rows to draw")
	}
	if (low == "") != (high == "") {
		return nil, errors.New("nb: a band needs two columns, its low and its high end")
	}
	var err error
	if c.y, err = c.numbers(y); err != nil {
		return nil, err
	}
	if low != "" {
		if c.low, err = c.numbers(low); err != nil {
			return nil, err
		}
		if c.high, err = c.numbers(high); err != nil {
			return nil, err
		}
	}
	c.names, c.of = []string{""}, make([]int, df.Nrow())
	if by == "" {
		return c, nil
	}
	if err := c.has(by); err != nil {
		return nil, err
	}
	if c.names, c.of = distinct(df.Col(by)); len(c.names) > mostCurves {
		return nil, say.Errorf("nb: column %q has %d values, and more than %d cannot be told apart; select some of "+
			"its rows", by, len(c.names), mostCurves)
	}
	return c, nil
}

func (c *columns) has(name string) error {
	if !slices.Contains(c.df.Names(), name) {
		return say.Errorf("nb: there is no column %q to draw; the frame has %s", name,
			say.List(c.df.Names()))
	}
	return nil
}

// numbers returns a column of numbers, NaN for what is missing.
func (c *columns) numbers(name string) ([]float64, error) {
	if err := c.has(name); err != nil {
		return nil, err
	}
	col := c.df.Col(name)
	if t := col.Type(); t != series.Float && t != series.Int {
		return nil, say.Errorf("nb: column %q holds no numbers to draw", name)
	}
	return col.Float(), nil
}

// distinct returns the values of a column, as tables write them, in the order of their first rows, and which of them
// each row has.
func distinct(col series.Series) (values []string, of []int) {
	at := make(map[string]int)
	for row := range col.Len() {
		s := exact(col.Elem(row), col.Type())
		k, ok := at[s]
		if !ok {
			k = len(values)
			at[s], values = k, append(values, cell(col.Elem(row), col.Type()))
		}
		of = append(of, k)
	}
	return values, of
}

func allMissing(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) })
}

// labelled are the axes, with the names of columns where there is no label.
func labelled(axes *viz.Axes, x, y string) *viz.Axes {
	a := viz.Axes{}
	if axes != nil {
		a = *axes
	}
	if a.X == "" {
		a.X = x
	}
	if a.Y == "" {
		a.Y = y
	}
	return &a
}
