package netdoc

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Rows counts the rows of tables that a reader changed, to say so.
type Rows struct {
	rounded int      // rows off by rounding
	most    float64  // by how much at most
	weights int      // rows of counts or other weights
	empty   int      // rows without numbers
	of      []string // tables with such
}

// checkRows makes each row a distribution: one that is off by rounding is divided by its sum, one of counts too
// where the format has such, and one of NaN, which tools write for a configuration without cases, is
// uniform. It returns an error for any other.
func (b *Builder) checkRows(t *bn.CPT, n *Node) error {
	for config := range t.Configs().Len() {
		row := t.Row(config)
		off, ok := num.Unround(row)
		switch {
		case ok:
			b.Rows.Rounded(off)
			continue
		case b.Rows.NaN(row, n.Name), n.Weights && b.Rows.weigh(row, n.Name):
			continue
		}
		for _, x := range row {
			if math.IsNaN(x) {
				return b.ErrorAt(n.TableAt, "NaN among the probabilities of %s; write numbers, or nothing but NaN",
					describe(t, config))
			}
			if !num.NearProbability(x) {
				return b.ErrorAt(n.TableAt, "%v among the probabilities of %s is not between 0 and 1", x,
					describe(t, config))
			}
		}
		return b.ErrorAt(n.TableAt, "the probabilities of %s sum to %v, not 1%s", describe(t, config), num.Sum(row),
			hint(t, n.ChildSlowest))
	}
	return nil
}

// addLast adds the last probability of each row, the rest to 1.
func (b *Builder) addLast(n *Node, configs, r int) error {
	if err := b.Imply(n.TableAt, configs*r, "the table of %q", say.Short(n.Name)); err != nil {
		return err
	}
	table := make([]float64, 0, configs*r)
	for config := range configs {
		given := n.Table[config*(r-1) : (config+1)*(r-1)]
		rest := 1 - num.Sum(given)
		if !(rest >= -num.RowTolerance) {
			return b.ErrorAt(n.TableAt, "row %d of the table of %q sums to %v without its last probability, more "+
				"than 1", config+1, say.Short(n.Name), num.Sum(given))
		}
		table = append(append(table, given...), max(0, rest))
	}
	n.Table = table
	b.Lose("The last probability of each row of %q is left out in the file, and is the rest to 1.", say.Short(n.Name))
	return nil
}

// Rounded counts a row that was off.
func (r *Rows) Rounded(off float64) {
	if off > 0 {
		r.rounded, r.most = r.rounded+1, max(r.most, off)
	}
}

// NaN makes a row of nothing but NaN uniform, and reports whether it was one.
func (r *Rows) NaN(row []float64, variable string) bool {
	if len(row) == 0 || slices.ContainsFunc(row, func(x float64) bool { return !math.IsNaN(x) }) {
		return false
	}
	r.Uniform(row, variable)
	return true
}

// Uniform fills a row for which the file has no probabilities.
func (r *Rows) Uniform(row []float64, variable string) {
	for i := range row {
		row[i] = 1 / float64(len(row))
	}
	if r.empty++; len(r.of) <= 10 && !slices.Contains(r.of, variable) {
		r.of = append(r.of, variable)
	}
}

// weigh divides a row of counts or other weights by its sum, and makes one of zeros uniform. Numbers of which none
// is above 1 and not all are whole are probabilities, so a wrong sum of theirs is a mistake.
func (r *Rows) weigh(row []float64, variable string) bool {
	whole, above, sum := true, false, 0.0
	for _, x := range row {
		if !(x >= 0) {
			return false
		}
		whole, above = whole && x == math.Floor(x), above || x > 1.01
		sum += x
	}
	switch {
	case math.IsInf(sum, 0) || !whole && !above:
		return false
	case sum == 0:
		r.Uniform(row, variable)
		return true
	}
	r.weights++
	for i := range row {
		row[i] /= sum
	}
	return true
}

// loseRows says which rows were changed.
func (b *Builder) loseRows() { b.Lost = append(b.Lost, b.Rows.Lost()...) }

// Lost are sentences on the rows that were changed.
func (r *Rows) Lost() (lost []string) {
	if r.rounded > 0 {
		lost = append(lost, fmt.Sprintf("%s off by rounding, by %.2g at most, and divided by %s.",
			rows(r.rounded), r.most, its(r.rounded)))
	}
	if r.weights > 0 {
		lost = append(lost, fmt.Sprintf("%s of counts or weights, and divided by %s.", rows(r.weights),
			its(r.weights)))
	}
	if r.empty > 0 {
		lost = append(lost, fmt.Sprintf("%s without probabilities in the tables of %s (NaN, impossible or undefined, "+
			"as where no case was seen); there all states are equally probable. Fit with a prior to have better ones.",
			rows(r.empty), say.Quoted(r.of)))
	}
	return lost
}

func rows(n int) string {
	if n == 1 {
		return "1 row was"
	}
	return fmt.Sprintf("%d rows were", n)
}

func its(n int) string {
	if n == 1 {
		return "its sum"
	}
	return "their sums"
}

// unroundNoisy does for the effects and the leak of a noisy-MAX node what checkRows does for a table.
func (b *Builder) unroundNoisy(m *NoisyMAX) {
	for _, effects := range append(slices.Clone(m.Effects), [][]float64{m.Leak}) {
		for _, row := range effects {
			off, _ := num.Unround(row)
			b.Rows.Rounded(off)
		}
	}
}

// hint says how to mend a table, other than where its numbers make sense the other way round.
func hint(t *bn.CPT, slowest bool) string {
	r, configs := t.Child.Cardinality(), t.Configs().Len()
	row := make([]float64, r)
	for config := range configs {
		for state := range r {
			if row[state] = t.P[state*configs+config]; slowest {
				at := config*r + state // the place in the file
				row[state] = t.P[at%configs*r+at/configs]
			}
		}
		if _, ok := num.Unround(row); !ok {
			return "; mend the row, since rounding of the digits that it has does not explain this"
		}
	}
	if slowest {
		return "; the numbers would make sense with the state of the node varying fastest, but here it varies slowest"
	}
	return "; the numbers would make sense with the state of the node varying slowest, but here it varies fastest"
}
