package constraint

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// activeTol is the slack below which an inequality counts as active.
const activeTol = 1e-7

// gradients are the slopes of relations at an estimate.
type gradients struct {
	theta []float64
	leaf  map[int]int // by table entry
	cols  [][]slope   // by relation
	free  []bool      // not an inequality
	of    []int       // place in a report, −1 for what is not reported
}

type slope struct {
	cell  int
	slope float64
}

func (g *gradients) add(cells []int, at func(i int) float64, free bool, of int) {
	col := make([]slope, len(cells))
	for i, cell := range cells {
		col[i] = slope{cell, at(i)}
	}
	g.cols, g.free, g.of = append(g.cols, col), append(g.free, free), append(g.of, of)
}

// gradients gathers the relations of a part that hold with equality at theta, the sums to
// one first. report is told of those with a multiplier of their own, and returns a place.
func (p *Problem) gradients(part *plan, theta []float64, report func(statement int, relation string, active bool) int) *gradients {
	g := &gradients{theta: theta, leaf: make(map[int]int)}
	for leaf, cell := range part.cells {
		g.leaf[cell] = leaf
	}
	one := func(int) float64 { return 1 }
	for _, row := range part.rows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		cells := make([]int, hi-lo)
		for i := range cells {
			cells[i] = lo + i
		}
		g.add(cells, one, true, -1)
	}
	for _, m := range part.members {
		b, of := p.bounds[m], p.of[m]
		for _, f := range b.Fixed {
			g.add([]int{f.Cell}, one, true, report(of, p.relation(Linear{Cells: []int{f.Cell}, Value: f.P}, "="), true))
		}
		for _, t := range b.Ties {
			for i := 1; i < len(t.Cells); i++ {
				scale := [2]float64{1 / t.scale(0), -1 / t.scale(i)}
				g.add([]int{t.Cells[0], t.Cells[i]}, func(k int) float64 { return scale[k] }, true, -1)
			}
		}
		for _, l := range b.Equal {
			g.add(l.Cells, l.coef, true, report(of, p.relation(l, "="), true))
		}
		for _, l := range b.AtMost {
			active := l.at(theta) > -activeTol
			if at := report(of, p.relation(l, "≤"), active); active {
				g.add(l.Cells, l.coef, false, at)
			}
		}
		for _, r := range b.Ratios {
			g.addRatio(r)
		}
		for _, f := range b.Smooth {
			g.addSmooth(f, of, report)
		}
	}
	return g
}

// matrix has a row for each entry and a column for each relation: its slope, times θ when
// scaled.
func (g *gradients) matrix(scaled bool) *mat.Dense {
	a := mat.NewDense(len(g.leaf), len(g.cols), nil)
	for c, col := range g.cols {
		for _, t := range col {
			slope := t.slope
			if scaled {
				slope *= g.theta[t.cell]
			}
			a.Set(g.leaf[t.cell], c, a.At(g.leaf[t.cell], c)+slope)
		}
	}
	return a
}

// addRatio adds the equations of a ratio in logarithms, where they are linear:
// log θ_1i − log θ_1,0 − log θ_gi + log θ_g,0 = 0.
func (g *gradients) addRatio(r Ratio) {
	first := r.Blocks[0]
	for _, block := range r.Blocks[1:] {
		for i := 1; i < len(block); i++ {
			cells := []int{first[i], first[0], block[i], block[0]}
			g.add(cells, func(k int) float64 {
				if g.theta[cells[k]] == 0 {
					return 0
				}
				return [...]float64{1, -1, -1, 1}[k] / g.theta[cells[k]]
			}, true, -1)
		}
	}
}

func (g *gradients) addSmooth(f Smooth, of int, report func(int, string, bool) int) {
	x := make([]float64, len(f.Cells))
	for i, cell := range f.Cells {
		x[i] = g.theta[cell]
	}
	for k, list := range [][]Function{f.Equal, f.AtMost} {
		for i, h := range list {
			name, active := fmt.Sprintf("equation %d", i+1), true
			if k == 1 {
				name, active = fmt.Sprintf("inequality %d", i+1), h.Value(x) > -activeTol
			}
			at := report(of, name, active)
			if !active {
				continue
			}
			slope := make([]float64, len(x))
			h.gradient(slope, x)
			g.add(f.Cells, func(i int) float64 { return slope[i] }, k == 0, at)
		}
	}
}

// relation spells a linear relation.
func (p *Problem) relation(l Linear, sign string) string {
	var left strings.Builder
	for i, cell := range l.Cells {
		c := l.coef(i)
		switch {
		case i > 0 && c < 0:
			left.WriteString(" − ")
		case i > 0:
			left.WriteString(" + ")
		case c < 0:
			left.WriteString("−")
		}
		if a := math.Abs(c); a != 1 {
			fmt.Fprintf(&left, "%.6g·", a)
		}
		left.WriteString("P(" + p.Name(cell) + ")")
	}
	return fmt.Sprintf("%s %s %.6g", left.String(), sign, l.Value)
}
