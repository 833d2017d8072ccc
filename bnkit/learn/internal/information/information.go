// Package information finds the observed information of tables in which cells are missing, and draws tables by the
// normal approximation at the maximum: what learn.Result.Observed does.
package information

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/identify"
	"bnlab/internal/say"
)

// Cases are cases with missing cells, as learn.Cases.
type Cases interface {
	// Expect adds expected counts under the tables theta to n.
	Expect(n, theta []float64) (loglik float64, err error)
	// AddObserved adds the counts of what is observed outright to n.
	AddObserved(n []float64)
}

// Observed is the observed information of the tables in which cells are missing.
type Observed struct {
	net    *bn.Network
	p      *constraint.Problem
	cases  Cases
	pseudo []float64
	theta  []float64
	n      []float64 // expected counts with the prior
	cells  []int     // that vary
	linked []bool    // by cell
	basis  *mat.Dense
	matrix *mat.SymDense // of information, in the directions of the basis
	slope  []float64     // of the log posterior, in the same directions
	root   *mat.Dense    // draws on the scale of √θ are root·ε
}

// mostObserved bounds the entries of the matrices.
const mostObserved = 1000

// New finds the information of cases at the tables theta of a network of discrete variables, an estimate under the
// statements of p with these pseudocounts. It returns an error for statements that are not linear, too many entries, an
// estimate that is no maximum, and tables that the cases do not determine, with their names.
func New(net *bn.Network, p *constraint.Problem, c Cases, pseudo, theta []float64) (*Observed, error) {
	o := &Observed{net: net, p: p, cases: c, pseudo: pseudo, theta: theta}
	var err error
	if o.n, err = o.counts(o.theta); err != nil {
		return nil, err
	}
	outright := make([]float64, len(o.theta))
	c.AddObserved(outright)
	if err := p.AddPrior(outright, pseudo); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	layout := net.Layout()
	o.linked = make([]bool, len(o.theta))
	groups := p.Groups()
	in := make(map[constraint.Row]bool)
	for _, g := range groups {
		for _, row := range g {
			in[row] = true
			for lo, hi := layout.Row(row.Var, row.Config); lo < hi; lo++ {
				o.linked[lo] = true
			}
		}
	}
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			if row := (constraint.Row{Var: v, Config: config}); !in[row] {
				groups = append(groups, []constraint.Row{row})
			}
		}
	}
	for _, g := range groups {
		var cells []int
		known := true
		for _, row := range g {
			for lo, hi := layout.Row(row.Var, row.Config); lo < hi; lo++ {
				cells = append(cells, lo)
				known = known && math.Abs(o.n[lo]-outright[lo]) <= 1e-9*(1+outright[lo])
			}
		}
		if !known {
			o.cells = append(o.cells, cells...)
		}
	}
	slices.Sort(o.cells)
	if len(o.cells) > mostObserved {
		return nil, fmt.Errorf("learn: the observed information of %d table entries with missing cells is too large, "+
			"at most %d", len(o.cells), mostObserved)
	}
	if len(o.cells) == 0 {
		return o, nil
	}
	if err := o.directions(); err != nil {
		return nil, err
	}
	if err := o.differentiate(); err != nil || len(o.cells) == 0 {
		return o, err
	}
	return o, o.factor()
}

// Cells are the entries that vary: those of the tables in which cells are missing.
func (o *Observed) Cells() []int { return o.cells }

// counts returns the expected counts with the prior.
func (o *Observed) counts(theta []float64) ([]float64, error) {
	n := make([]float64, len(theta))
	if _, err := o.cases.Expect(n, theta); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	if err := o.p.AddPrior(n, o.pseudo); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return n, nil
}

// directions finds an orthonormal basis, on the scale dθ/√θ, of what sums and statements leave free.
func (o *Observed) directions() error {
	at := make(map[int]int, len(o.cells))
	for i, cell := range o.cells {
		at[cell] = i
	}
	equations, err := identify.Equations(o.net, o.p.Statements(), o.theta)
	if err != nil {
		return say.Errorf("learn: %w", err)
	}
	type row struct {
		cells []int
		coef  []float64
	}
	var rows []row
	for _, e := range equations {
		rows = append(rows, row{e.Cells, e.X})
	}
	for _, s := range o.p.Statements() {
		bounds, err := s.Bind(o.net)
		if err != nil {
			return say.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			if len(b.Ratios)+len(b.Smooth) > 0 {
				return say.Errorf("learn: no observed information under %q, which is not linear", s)
			}
			for _, l := range b.AtMost {
				coef := l.Coef
				if coef == nil {
					coef = slices.Repeat([]float64{1}, len(l.Cells))
				}
				excess := -l.Value
				for i, cell := range l.Cells {
					excess += coef[i] * o.theta[cell]
				}
				if excess > -1e-7 {
					rows = append(rows, row{l.Cells, coef})
				}
			}
		}
	}
	const zero = 1e-9
	for _, cell := range o.cells {
		if o.theta[cell] < zero {
			rows = append(rows, row{[]int{cell}, []float64{1}})
		}
	}
	a := mat.NewDense(len(rows), len(o.cells), nil)
	for i, r := range rows {
		norm := 0.0
		for k, cell := range r.cells {
			if j, ok := at[cell]; ok {
				x := r.coef[k] * math.Sqrt(max(o.theta[cell], zero))
				a.Set(i, j, a.At(i, j)+x)
				norm += x * x
			}
		}
		for j := range o.cells {
			if norm > 0 {
				a.Set(i, j, a.At(i, j)/math.Sqrt(norm))
			}
		}
	}
	var ata mat.SymDense
	ata.SymOuterK(1, a.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&ata, true) {
		return fmt.Errorf("learn: the directions that statements leave cannot be found")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	free := 0
	for _, x := range eigen.Values(nil) { // ascending
		if x < 1e-9 {
			free++
		}
	}
	if free == 0 {
		o.cells = nil
		return nil
	}
	o.basis = mat.DenseCopyOf(vectors.Slice(0, len(o.cells), 0, free))
	return nil
}

// differentiate finds the information in the directions of the basis.
func (o *Observed) differentiate() error {
	if o.basis == nil {
		return nil
	}
	_, free := o.basis.Dims()
	slope := func(j int, h float64) ([]float64, error) { // of the log posterior by direction, at a step along j
		theta := slices.Clone(o.theta)
		for i, cell := range o.cells {
			theta[cell] += h * math.Sqrt(o.theta[cell]) * o.basis.At(i, j)
		}
		n, err := o.counts(theta)
		if err != nil {
			return nil, err
		}
		out := make([]float64, free)
		for i, cell := range o.cells {
			if o.theta[cell] > 0 {
				g := n[cell] / theta[cell] * math.Sqrt(o.theta[cell])
				for k := range out {
					out[k] += g * o.basis.At(i, k)
				}
			}
		}
		return out, nil
	}
	var err error
	if o.slope, err = slope(0, 0); err != nil {
		return err
	}
	all := mat.NewDense(free, free, nil)
	for j := range free {
		h := 1e-3
		for i, cell := range o.cells {
			if b := math.Abs(o.basis.At(i, j)); b > 1e-12 {
				h = min(h, 1e-3*math.Sqrt(o.theta[cell])/b)
			}
		}
		var s [4][]float64
		for k, m := range []float64{-2, -1, 1, 2} {
			var err error
			if s[k], err = slope(j, m*h); err != nil {
				return err
			}
		}
		for k := range free { // of fourth order
			all.Set(k, j, -(s[0][k]-8*s[1][k]+8*s[2][k]-s[3][k])/(12*h))
		}
	}
	o.matrix = mat.NewSymDense(free, nil)
	for j := range free {
		for k := range j + 1 {
			o.matrix.SetSym(j, k, (all.At(j, k)+all.At(k, j))/2)
		}
	}
	return nil
}
