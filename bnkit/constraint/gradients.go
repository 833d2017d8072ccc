package constraint

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// activeTol is the slack below which an inequality counts as active.
const activeTol = 1e-7

// gradients are the slopes of relations at an estimate. (The Karush–Kuhn–Tucker conditions of N06 §3.2.)
type gradients struct {
	theta []float64
	leaf  map[int]int // by table entry
	cols  [][]slope   // by relation
	free  []bool      // not an inequality
	of    []int       // place in a report, −1 for what is not reported
	ties  []Tie       // not among the relations
	paid  []payment   // for inequalities that are broken
	told  telling
}

// A payment is for an inequality that is broken at its price, the place of which in a report is of.
type payment struct {
	Linear
	price float64
	of    int
}

// A telling is told of relations with a multiplier of their own, and returns a place.
type telling func(statement int, relation string, active bool) int

// tell spells the relation only when somebody listens, and it is of a statement.
func (g *gradients) tell(statement int, relation func() string, active bool) int {
	if g.told == nil || statement < 0 {
		return -1
	}
	return g.told(statement, relation(), active)
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
// one first, and the ties by themselves. told may be nil.
func (p *Problem) gradients(part *plan, theta []float64, told telling) *gradients {
	g := &gradients{theta: theta, leaf: make(map[int]int, len(part.cells)), told: told}
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
			l := Linear{Cells: []int{f.Cell}, Value: f.P}
			g.add(l.Cells, one, true, g.tell(of, func() string { return p.relation(l, "=") }, true))
		}
		g.ties = append(g.ties, b.Ties...)
		for _, l := range b.Equal {
			g.add(l.Cells, l.coef, true, g.tell(of, func() string { return p.relation(l, "=") }, true))
		}
		for _, l := range b.AtMost {
			excess := l.at(theta)
			at := g.tell(of, func() string { return p.relation(l, "≤") }, excess > -activeTol)
			switch {
			case b.price > 0 && excess > activeTol:
				g.paid = append(g.paid, payment{l, b.price, at})
			case excess > -activeTol:
				g.add(l.Cells, l.coef, false, at)
			}
		}
		for _, r := range b.Ratios {
			g.addRatio(r)
		}
		if b.product != nil {
			of = -1 // too many to be told of
		}
		for _, f := range b.Smooth {
			g.addSmooth(f, of)
		}
	}
	return g
}

// tie is the slope of θ_0/scale_0 − θ_i/scale_i.
func (g *gradients) tie(t Tie, i int) []slope {
	return []slope{{t.Cells[0], 1 / t.scale(0)}, {t.Cells[i], -1 / t.scale(i)}}
}

// addTies puts the ties among the relations.
func (g *gradients) addTies() {
	for _, t := range g.ties {
		for i := 1; i < len(t.Cells); i++ {
			g.cols, g.free, g.of = append(g.cols, g.tie(t, i)), append(g.free, true), append(g.of, -1)
		}
	}
}

// matrix has a row for each entry and a column for each relation: its slope times θ.
func (g *gradients) matrix() *mat.Dense {
	a := mat.NewDense(len(g.leaf), len(g.cols), nil)
	for c, col := range g.cols {
		for _, t := range col {
			a.Set(g.leaf[t.cell], c, a.At(g.leaf[t.cell], c)+t.slope*g.theta[t.cell])
		}
	}
	return a
}

// smallest is the probability below which a ratio is not taken to logarithms.
const smallest = 1e-300

// addRatio adds the equations θ_gi θ_ho = θ_go θ_hi for all blocks g but one, h, and all
// positions i but one, o: those with the largest entry, so that shapes and masses of zero
// leave as many slopes as they should. Where nothing is zero they are those of the
// logarithms, which are linear.
func (g *gradients) addRatio(r Ratio) {
	h, o := 0, 0
	for b, block := range r.Blocks {
		for i, cell := range block {
			if g.theta[cell] > g.theta[r.Blocks[h][o]] {
				h, o = b, i
			}
		}
	}
	for b, block := range r.Blocks {
		for i := range block {
			if b == h || i == o {
				continue
			}
			cells := []int{block[i], r.Blocks[h][o], block[o], r.Blocks[h][i]}
			var x [4]float64
			logs := true
			for k, cell := range cells {
				x[k] = g.theta[cell]
				logs = logs && x[k] > smallest
			}
			slopes := [4]float64{x[1], x[0], -x[3], -x[2]}
			if logs {
				slopes = [4]float64{1 / x[0], 1 / x[1], -1 / x[2], -1 / x[3]}
			}
			g.add(cells, func(k int) float64 { return slopes[k] }, true, -1)
		}
	}
}

func (g *gradients) addSmooth(f Smooth, of int) {
	x := make([]float64, len(f.Cells))
	for i, cell := range f.Cells {
		x[i] = g.theta[cell]
	}
	slope := make([]float64, len(x))
	for k, list := range [][]Function{f.Equal, f.AtMost} {
		for i, h := range list {
			name, active := "equation", true
			if k == 1 {
				name, active = "inequality", h.Value(x) > -activeTol
			}
			at := g.tell(of, func() string { return fmt.Sprintf("%s %d", name, i+1) }, active)
			if !active {
				continue
			}
			h.gradient(slope, x)
			var cells []int
			var nonzero []float64
			for i, s := range slope {
				if s != 0 {
					cells, nonzero = append(cells, f.Cells[i]), append(nonzero, s)
				}
			}
			g.add(cells, func(i int) float64 { return nonzero[i] }, k == 0, at)
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
