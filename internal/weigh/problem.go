package weigh

import (
	"math"
	"slices"

	"bnlab/internal/linprog"
	"bnlab/internal/rows"
)

// MostStatements is how many statements a problem may have: a subset is a set of bits.
const MostStatements = 64

// A Problem is a group of distributions with the statements about them.
type Problem struct {
	// First has the first cell of each distribution, and at the end the number of cells.
	First []int
	// Prior are the Dirichlet counts of the cells, positive; Counts are those of the cases.
	Prior, Counts []float64
	// Statements are the inequalities of each, Σ coef · x ≤ value, by cell.
	Statements [][]rows.Row
	// Always are inequalities that hold in any case.
	Always []rows.Row
	// Known, when not nil, keeps integrals from one problem to the next, for callers with one worker.
	Known map[[7]float64]float64
}

// cells is the number of table entries.
func (p *Problem) cells() int { return p.First[len(p.First)-1] }

// imposed lists the inequalities of a subset.
func (p *Problem) imposed(subset uint64) []rows.Row {
	list := slices.Clone(p.Always)
	for i, s := range p.Statements {
		if subset>>i&1 == 1 {
			list = append(list, s...)
		}
	}
	return list
}

// least is the slack below which an inequality counts as an equality.
const least = 1e-9

// inside returns a point strictly inside a subset's set of tables, nil when the set has no volume.
func (p *Problem) inside(subset uint64) []float64 {
	set := rows.Set{Len: p.cells(), AtMost: p.imposed(subset)}
	for r := range len(p.First) - 1 {
		row := rows.Row{Value: 1}
		for cell := p.First[r]; cell < p.First[r+1]; cell++ {
			row.Index = append(row.Index, cell)
		}
		set.Equal = append(set.Equal, row)
	}
	x, _, _, err := linprog.Interior(set)
	if err != nil || !isInside(x, set.AtMost) {
		return nil
	}
	return x
}

func isInside(x []float64, inequalities []rows.Row) bool {
	for _, v := range x {
		if !(v > least) {
			return false
		}
	}
	for _, q := range inequalities {
		if !(q.Value-q.Dot(x) > least) {
			return false
		}
	}
	return true
}

// holds reports whether x satisfies all of the inequalities.
func holds(x []float64, inequalities []rows.Row) bool {
	for _, q := range inequalities {
		if q.Dot(x) > q.Value {
			return false
		}
	}
	return true
}

// exponents are those of prior (beta 0) and posterior (beta 1), and what lies between.
func (p *Problem) exponents(beta float64) []float64 {
	a := slices.Clone(p.Prior)
	if beta > 0 {
		for cell, n := range p.Counts {
			a[cell] += beta * n
		}
	}
	return a
}

// logFree is the log marginal likelihood without statements, Σ log B(α + n) − log B(α).
func (p *Problem) logFree() float64 {
	total := 0.0
	post := p.exponents(1)
	for r := range len(p.First) - 1 {
		total += logBeta(post[p.First[r]:p.First[r+1]]) - logBeta(p.Prior[p.First[r]:p.First[r+1]])
	}
	return total
}

func logBeta(a []float64) float64 {
	total, all := 0.0, 0.0
	for _, x := range a {
		g, _ := math.Lgamma(x)
		total += g
		all += x
	}
	g, _ := math.Lgamma(all)
	return total - g
}
