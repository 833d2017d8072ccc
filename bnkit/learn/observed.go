package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/identify"
)

// Observed replaces draws of all tables, made with expected counts taken as known, by draws that know of the
// missing cells: by a normal approximation at the maximum with the inverse of the observed information as
// covariance. The information is that of the log-likelihood of the cases c plus the prior,
//
//	−∂²ℓ/∂θ_i∂θ_j = δ_ij n_i/θ_i² − (1/θ_i) ∂n_i/∂θ_j,
//
// the complete information less the missing one (Louis 1982), with the expected counts n as functions of θ
// (Oakes 1999). Their derivatives are central differences along the directions that the sums to one and the
// statements leave, inequalities that hold with equality among them. Draws are made on the scale of √θ, on which
// the complete information of a distribution is the same for all entries, and are then brought back to the
// statements, so they are tables that obey them. Distributions that are observed outright keep their draws;
// entries below 1e-9 keep their values there.
//
// It returns an error, and leaves theta alone, when there are linear-Gaussian nodes, statements that are not linear,
// more than 1,000 entries, an estimate that is no maximum, or tables that the cases do not determine (whose
// information is singular; it names them). The cases must be those of the fit, pseudocounts its prior and p its
// statements. It takes two passes over the cases for each free parameter.
func (r *Result) Observed(theta [][]float64, p *constraint.Problem, c Cases, pseudocounts []float64,
	src rand.Source) error {
	o, err := newObserved(r.Net, p, c, pseudocounts)
	if err != nil || len(o.cells) == 0 {
		return err
	}
	if err := o.factor(); err != nil {
		return err
	}
	drawn := make([][]float64, len(theta))
	rng := rand.New(src)
	for i := range theta {
		if drawn[i], err = o.draw(rng); err != nil {
			return err
		}
	}
	for i := range theta {
		for _, cell := range o.cells {
			theta[i][cell] = drawn[i][cell]
		}
	}
	return nil
}

// observed is the observed information of the tables in which cells are missing.
type observed struct {
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

func newObserved(net *bn.Network, p *constraint.Problem, c Cases, pseudo []float64) (*observed, error) {
	if hasGaussian(net) {
		return nil, fmt.Errorf("learn: no observed information with linear-Gaussian nodes")
	}
	o := &observed{net: net, p: p, cases: c, pseudo: pseudo, theta: tables(net)}
	var err error
	if o.n, err = o.counts(o.theta); err != nil {
		return nil, err
	}
	outright := make([]float64, len(o.theta))
	c.AddObserved(outright)
	if err := p.AddPrior(outright, pseudo); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
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
	return o, o.differentiate()
}

// counts returns the expected counts with the prior.
func (o *observed) counts(theta []float64) ([]float64, error) {
	n := make([]float64, len(theta))
	if _, err := o.cases.Expect(n, theta); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	if err := o.p.AddPrior(n, o.pseudo); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	return n, nil
}

// directions finds an orthonormal basis, on the scale dθ/√θ, of what sums and statements leave free.
func (o *observed) directions() error {
	at := make(map[int]int, len(o.cells))
	for i, cell := range o.cells {
		at[cell] = i
	}
	equations, err := identify.Equations(o.net, o.p.Statements(), o.theta)
	if err != nil {
		return fmt.Errorf("learn: %w", err)
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
			return fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			if len(b.Ratios)+len(b.Smooth) > 0 {
				return fmt.Errorf("learn: no observed information under %q, which is not linear", s)
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
func (o *observed) differentiate() error {
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

// factor finds the root of the covariance, and names the tables that the cases do not determine.
func (o *observed) factor() error {
	var eigen mat.EigenSym
	if !eigen.Factorize(o.matrix, true) {
		return fmt.Errorf("learn: the observed information has no eigenvalues")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	last := values[len(values)-1]
	o.root = mat.NewDense(len(o.cells), len(values), nil)
	o.root.Mul(o.basis, &vectors)
	const singular = 1e-6
	open := make(map[string]bool)
	for k, x := range values {
		if x > singular*last && x > 0 {
			for i := range o.cells {
				o.root.Set(i, k, o.root.At(i, k)/math.Sqrt(x))
			}
			continue
		}
		for i, cell := range o.cells {
			if math.Abs(o.root.At(i, k)) > 0.1 {
				v, _, _ := o.net.Layout().Locate(cell)
				open[o.net.Variable(v).Name] = true
			}
		}
	}
	if len(open) == 0 {
		gain := 0.0 // of the log posterior by the next step of Newton's method, twice
		var along mat.VecDense
		along.MulVec(vectors.T(), mat.NewVecDense(len(values), o.slope))
		for k, x := range values {
			gain += along.AtVec(k) * along.AtVec(k) / x
		}
		const little = 0.01 // a tenth of a standard deviation
		if gain > little {
			return fmt.Errorf("learn: the tables are not a maximum of the log posterior, which may rise by %.2g; fit "+
				"by learn.EM with a smaller Tolerance", gain/2)
		}
		return nil
	}
	var names []string
	for _, v := range o.net.Variables() {
		if open[v.Name] {
			names = append(names, v.Name)
		}
	}
	return fmt.Errorf("learn: the observed information is singular: the cases do not determine the tables of %s",
		strings.Join(names, ", "))
}

// draw draws tables.
func (o *observed) draw(rng *rand.Rand) ([]float64, error) {
	_, free := o.root.Dims()
	e := make([]float64, free)
	for k := range e {
		e[k] = rng.NormFloat64()
	}
	theta := slices.Clone(o.theta)
	isLinked := false
	for i, cell := range o.cells {
		u := 0.0
		for k, x := range e {
			u += o.root.At(i, k) * x
		}
		x := math.Sqrt(o.theta[cell]) + u/2
		theta[cell] = x * x
		isLinked = isLinked || o.linked[cell]
	}
	layout := o.net.Layout()
	weights := slices.Clone(theta)
	for v := range o.net.Len() {
		for config := range o.net.CPT(v).Configs().Len() {
			lo, hi := layout.Row(v, config)
			total, all := 0.0, 0.0
			for cell := lo; cell < hi; cell++ {
				total += theta[cell]
				all += o.n[cell]
			}
			for cell := lo; cell < hi; cell++ {
				theta[cell] /= total
				weights[cell] = theta[cell] * max(all, 1)
			}
		}
	}
	if !isLinked {
		return theta, nil
	}
	back := make([]float64, len(theta))
	if err := o.p.Maximize(back, weights); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	for cell, linked := range o.linked {
		if linked {
			theta[cell] = back[cell]
		}
	}
	return theta, nil
}
