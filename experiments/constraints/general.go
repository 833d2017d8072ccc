package constraints

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// general says what a statement says, but as functions g(θ) = 0 and h(θ) ≤ 0 of which no
// more is known: the general approach of N06 §3.2.
type general struct{ constraint.Constraint }

// Bind implements [constraint.Constraint].
func (s general) Bind(net *bn.Network) ([]constraint.Bound, error) {
	bounds, err := s.Constraint.Bind(net)
	if err != nil {
		return nil, err
	}
	out := make([]constraint.Bound, len(bounds))
	for i, b := range bounds {
		if len(b.Shares) > 0 {
			return nil, say.Errorf("constraints: %q is about weights, not about tables", s)
		}
		out[i] = functions(net.Layout(), b)
	}
	return out, nil
}

// functions writes a bound as functions of all parameters of its distributions.
func functions(l bn.Layout, b constraint.Bound) constraint.Bound {
	var f constraint.Smooth
	place := make(map[int]int)
	for _, row := range b.Links {
		lo, hi := l.Row(row.Var, row.Config)
		for cell := lo; cell < hi; cell++ {
			place[cell] = len(f.Cells)
			f.Cells = append(f.Cells, cell)
		}
	}
	for _, v := range b.Fixed {
		f.Equal = append(f.Equal, linear(place, []int{v.Cell}, nil, v.P))
	}
	for _, t := range b.Ties {
		scale := func(i int) float64 {
			if t.Scale == nil {
				return 1
			}
			return t.Scale[i]
		}
		for i := 1; i < len(t.Cells); i++ {
			f.Equal = append(f.Equal, linear(place, []int{t.Cells[0], t.Cells[i]},
				[]float64{1 / scale(0), -1 / scale(i)}, 0))
		}
	}
	for _, e := range b.Equal {
		f.Equal = append(f.Equal, linear(place, e.Cells, e.Coef, e.Value))
	}
	for _, e := range b.AtMost {
		f.AtMost = append(f.AtMost, linear(place, e.Cells, e.Coef, e.Value))
	}
	for _, r := range b.Ratios {
		for _, block := range r.Blocks[1:] {
			for i := 1; i < len(block); i++ {
				f.Equal = append(f.Equal, ratio(place, r.Blocks[0], block, i))
			}
		}
	}
	return constraint.Bound{Links: b.Links, Smooth: []constraint.Smooth{f}}
}

// linear is Σ coef·θ − value.
func linear(place map[int]int, cells []int, coef []float64, value float64) constraint.Function {
	weight := func(i int) float64 {
		if coef == nil {
			return 1
		}
		return coef[i]
	}
	return constraint.Function{
		Value: func(x []float64) float64 {
			sum := -value
			for i, cell := range cells {
				sum += weight(i) * x[place[cell]]
			}
			return sum
		},
		Gradient: func(dst, _ []float64) {
			clear(dst)
			for i, cell := range cells {
				dst[place[cell]] += weight(i)
			}
		},
		Hessian: func(dst *mat.SymDense, _ []float64) { dst.Zero() },
	}
}

// ratio is a_0 b_i − a_i b_0 for two blocks of cells: zero for all i when they have the
// same proportions.
func ratio(place map[int]int, a, b []int, i int) constraint.Function {
	a0, ai, b0, bi := place[a[0]], place[a[i]], place[b[0]], place[b[i]]
	return constraint.Function{
		Value: func(x []float64) float64 { return x[a0]*x[bi] - x[ai]*x[b0] },
		Gradient: func(dst, x []float64) {
			clear(dst)
			dst[a0], dst[bi], dst[ai], dst[b0] = x[bi], x[a0], -x[b0], -x[ai]
		},
		Hessian: func(dst *mat.SymDense, _ []float64) {
			dst.Zero()
			dst.SetSym(a0, bi, 1)
			dst.SetSym(ai, b0, -1)
		},
	}
}

// A Check compares, for one scene, the method that the library picks with the general one.
type Check struct {
	Scene   Scene
	Methods []string // that were picked
	// Objective is by how much the general method's Σ n log θ is higher, per case, and
	// Parameter the largest difference of a parameter; the worst of all data sets.
	Objective, Parameter float64
	Certified            bool // the picked method proved its estimate to be the maximum, each time
}

// ComputeChecks solves random data sets of 100 cases, with one virtual case in each entry,
// by both methods. Scenes about weights have no tables and are left out.
func ComputeChecks(ctx context.Context, job *run.Job, scenes []Scene, c Config) ([]Check, error) {
	var checks []Check
	for _, s := range scenes {
		if v, err := s.Truth.Index(s.Target); err != nil {
			return nil, err
		} else if s.Truth.CPT(v) != nil {
			checks = append(checks, Check{Scene: s, Certified: true})
		}
	}
	each := make([][]Check, c.Checks)
	err := job.Replicates(ctx, "closed forms and the general method", c.Checks, func(replicate int, _ *rand.PCG) error {
		each[replicate] = make([]Check, len(checks))
		src := job.Source(checkStream, replicate)
		for i, check := range checks {
			var err error
			if each[replicate][i], err = checkOnce(check.Scene, src); err != nil {
				return say.Errorf("class %s: %w", check.Scene.Class, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range checks {
		for _, once := range each {
			for _, method := range once[i].Methods {
				if !slices.Contains(checks[i].Methods, method) {
					checks[i].Methods = append(checks[i].Methods, method)
				}
			}
			checks[i].Objective = max(checks[i].Objective, once[i].Objective)
			checks[i].Parameter = max(checks[i].Parameter, once[i].Parameter)
			checks[i].Certified = checks[i].Certified && once[i].Certified
		}
	}
	return checks, nil
}

func checkOnce(s Scene, src rand.Source) (Check, error) {
	sample, err := data.Sample(s.Truth, 100, src)
	if err != nil {
		return Check{}, err
	}
	counts, err := sample.Count(s.Truth, nil)
	if err != nil {
		return Check{}, err
	}
	for cell := range counts.N {
		counts.N[cell]++
	}
	var found [2]*constraint.Solution
	restated := make([]constraint.Constraint, len(s.Statements))
	for i, statement := range s.Statements {
		restated[i] = general{statement}
	}
	for i, statements := range [][]constraint.Constraint{s.Statements, restated} {
		p, err := constraint.Compile(s.Truth, statements...)
		if err != nil {
			return Check{}, err
		}
		if found[i], err = p.Solve(counts.N); err != nil {
			return Check{}, err
		}
	}
	check := Check{Scene: s, Certified: true}
	cases := 0.0
	for cell, n := range counts.N {
		a, b := found[0].Theta[cell], found[1].Theta[cell]
		cases += n
		check.Objective += n * math.Log(b/a)
		check.Parameter = max(check.Parameter, math.Abs(a-b))
	}
	check.Objective = math.Abs(check.Objective) / cases
	for _, part := range found[0].Parts {
		check.Methods = append(check.Methods, part.Method)
		check.Certified = check.Certified && part.Global
	}
	return check, nil
}
