package constraint_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"bnlab/bnkit/bn"
	"bnlab/internal/fullrank"
)

// A concave is a problem that any distribution problem without formulas can be written as:
// maximise Σ n log x under linear claims, where each variable is positive and stands in
// one of the sums that are 1. Its claims begin with those sums.
type concave struct {
	n, x   []float64
	sums   [][]int
	claims []claim
}

// program writes what is said in masses and shapes: the cells of ratios become x = a·w with
// Σ_block x = a and Σ w = 1, and in (a, w) the problem is concave again. A claim about a
// block must be about its mass or about its proportions only. theta is the point at which
// a bound is asked.
func program(t testing.TB, net *bn.Network, s said, n, theta []float64) concave {
	t.Helper()
	p := concave{n: slices.Clone(n), x: slices.Clone(theta)}
	p.sums = simplexes(net)
	p.claims = slices.Clone(s.linear)
	for _, blocks := range s.ratios {
		shape := make([]int, len(blocks[0]))
		pooled := 0.0
		for _, b := range blocks {
			for _, cell := range b {
				pooled += p.n[cell]
			}
		}
		for i := range shape {
			shape[i] = len(p.x)
			count := 0.0
			for _, b := range blocks {
				count += p.n[b[i]]
			}
			// Any block with a mass tells the proportions: the heaviest does best.
			heaviest, most := blocks[0], -1.0
			for _, b := range blocks {
				if m := total(at(p.x, b)); m > most {
					heaviest, most = b, m
				}
			}
			x := 1 / float64(len(shape))
			if most > 0 {
				x = p.x[heaviest[i]] / most
			}
			p.n, p.x = append(p.n, count), append(p.x, x)
		}
		p.sums = append(p.sums, shape)
		for _, b := range blocks {
			mass := len(p.x)
			p.n, p.x = append(p.n, total(at(p.n, b))), append(p.x, total(at(p.x, b)))
			for k, sum := range p.sums {
				if slices.Contains(sum, b[0]) {
					rest := slices.DeleteFunc(slices.Clone(sum),
						func(cell int) bool { return slices.Contains(b, cell) })
					p.sums[k] = append(rest, mass)
				}
			}
			for k, c := range p.claims {
				p.claims[k] = c.massOrShape(t, b, mass, shape)
			}
			for _, cell := range b {
				p.n[cell], p.x[cell] = 0, 0 // gone
			}
		}
	}
	sums := make([]claim, len(p.sums))
	for k, sum := range p.sums {
		sums[k] = claim{coef: make(map[int]float64), value: 1}
		for _, i := range sum {
			sums[k].coef[i] = 1
		}
	}
	p.claims = append(sums, p.claims...)
	return p
}

// massOrShape rewrites a claim about the cells of a block.
func (c claim) massOrShape(t testing.TB, block []int, mass int, shape []int) claim {
	on := at64(c.coef, block)
	inside := 0
	for _, cell := range block {
		if _, ok := c.coef[cell]; ok {
			inside++
		}
	}
	if inside == 0 {
		return c
	}
	out := claim{coef: make(map[int]float64), value: c.value, atMost: c.atMost}
	for i, f := range c.coef {
		if !slices.Contains(block, i) {
			out.coef[i] = f
		}
	}
	switch {
	case slices.Max(on) == slices.Min(on):
		out.coef[mass] = on[0]
	case len(out.coef) == 0 && c.value == 0:
		for i, f := range on {
			if f != 0 {
				out.coef[shape[i]] = f
			}
		}
	default:
		t.Fatalf("a claim cuts through a block")
	}
	return out
}

func at64(coef map[int]float64, cells []int) []float64 {
	x := make([]float64, len(cells))
	for i, cell := range cells {
		x[i] = coef[cell]
	}
	return x
}

func total(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// parts divides the variables by the claims that link them.
func (p concave) parts() []concave {
	leader := make([]int, len(p.x))
	for i := range leader {
		leader[i] = i
	}
	find := func(i int) int {
		for leader[i] != i {
			i = leader[i]
		}
		return i
	}
	some := func(c claim) int { // the smallest variable
		first := len(p.x)
		for i := range c.coef {
			first = min(first, i)
		}
		return first
	}
	for _, c := range p.claims {
		for i := range c.coef {
			leader[find(i)] = find(some(c))
		}
	}
	var order []int
	of := make(map[int]*concave)
	local := make([]int, len(p.x))
	for _, sum := range p.sums {
		for _, i := range sum {
			root := find(i)
			if of[root] == nil {
				of[root] = &concave{}
				order = append(order, root)
			}
			part := of[root]
			local[i] = len(part.x)
			part.n, part.x = append(part.n, p.n[i]), append(part.x, p.x[i])
		}
	}
	for k, c := range p.claims {
		if len(c.coef) == 0 {
			continue
		}
		part := of[find(some(c))]
		moved := claim{coef: make(map[int]float64), value: c.value, atMost: c.atMost}
		for i, f := range c.coef {
			moved.coef[local[i]] = f
		}
		part.claims = append(part.claims, moved)
		if k < len(p.sums) {
			var sum []int
			for _, i := range p.sums[k] {
				sum = append(sum, local[i])
			}
			part.sums = append(part.sums, sum)
		}
	}
	out := make([]concave, len(order))
	for i, root := range order {
		out[i] = *of[root]
	}
	return out
}

// gap bounds by how much Σ n log x can rise over its value at p.x. For multipliers λ of the
// claims, those of inequalities not negative, with q = A'λ ≥ 0,
//
//	Σ n log x ≤ Σ n (log(n/q) − 1) + b'λ   for all x that satisfy the claims,
//
// because log x ≤ q x/n + log(n/q) − 1. The multipliers are the least-squares solution of the
// conditions for an optimum at p.x, xq = n and no multiplier where there is slack. They
// need not be exact: whatever they are, made feasible they give a bound.
func (p concave) gap() float64 {
	cases := total(p.n)
	if cases == 0 {
		return 0
	}
	for i, n := range p.n {
		if n > 0 && !(p.x[i] > 0) {
			return math.Inf(1)
		}
	}
	var zero []int // variables without counts: q ≥ 0 is a condition
	for i, n := range p.n {
		if n == 0 {
			zero = append(zero, i)
		}
	}
	inequalities := 0
	for _, c := range p.claims {
		if c.atMost {
			inequalities++
		}
	}
	// Unknowns: λ, then q of variables without counts.
	m, vars := len(p.claims), len(p.x)
	b := make([]float64, vars+len(zero)+inequalities)
	a := make([][]float64, m+len(zero)) // by column
	for k := range a {
		a[k] = make([]float64, len(b))
	}
	free, active := make([]bool, m+len(zero)), make([]bool, m+len(zero))
	weight := make([]float64, vars)
	for i, n := range p.n {
		weight[i] = 1 / math.Sqrt(max(n, 1e-7*cases))
		b[i] = n * weight[i]
	}
	at := vars + len(zero)
	for k, c := range p.claims {
		free[k] = !c.atMost
		slack := c.value
		for i, f := range c.coef {
			a[k][i] = f * p.x[i] * weight[i]
			slack -= f * p.x[i]
			if z := slices.Index(zero, i); z >= 0 {
				a[k][vars+z] = f / math.Sqrt(cases)
			}
		}
		if c.atMost {
			a[k][at] = max(slack, 0) / math.Sqrt(1e-7*cases)
			at++
		}
		active[k] = slack < 1e-7
	}
	for z, i := range zero {
		a[m+z][vars+z] = -1 / math.Sqrt(cases)
		active[m+z] = p.x[i] < 1e-7
	}
	lambda := leastSquares(a, b, free, active)[:m]
	q := make([]float64, vars)
	for k, c := range p.claims {
		for i, f := range c.coef {
			q[i] += f * lambda[k]
		}
	}
	for k, sum := range p.sums { // the first claims
		for range 2 {
			worst := 0.0
			for _, i := range sum {
				if p.n[i] == 0 {
					worst = min(worst, q[i])
				} else if !(q[i] > 0) {
					return math.Inf(1)
				}
			}
			lambda[k] -= worst
			for _, i := range sum {
				q[i] -= worst
			}
		}
	}
	bound := 0.0
	for k, c := range p.claims {
		slack := c.value
		for i, f := range c.coef {
			slack -= f * p.x[i]
		}
		bound += lambda[k] * slack // b'λ − q'x, exactly
	}
	for i, n := range p.n {
		e := q[i] * p.x[i]
		if n > 0 {
			e = n * (e/n - 1 - math.Log(e/n))
		}
		bound += e
	}
	return bound
}

// leastSquares minimises |Σ_k y_k·a_k − b| with y ≥ 0 where it is not free, by the method
// of Lawson and Hanson. It starts with a guess of the entries that are positive.
func leastSquares(a [][]float64, b []float64, free, guess []bool) []float64 {
	scale := make([]float64, len(a))
	for k, column := range a {
		scale[k] = 1
		if norm := floats.Norm(column, 2); norm > 0 {
			scale[k] = norm
		}
		floats.Scale(1/scale[k], column)
	}
	passive := slices.Clone(guess)
	for k := range passive {
		passive[k] = passive[k] || free[k]
	}
	y := make([]float64, len(a))
	for range 5*len(a) + 10 {
		for {
			z := triangular(a, b, passive)
			step, blocked := 1.0, -1
			for k := range y {
				if passive[k] && !free[k] && z[k] <= 0 {
					s := 0.0
					if y[k] > 0 {
						s = y[k] / (y[k] - z[k])
					}
					if s < step || blocked < 0 {
						step, blocked = min(step, s), k
					}
				}
			}
			for k := range y {
				y[k] += step * (z[k] - y[k])
			}
			if blocked < 0 {
				break
			}
			passive[blocked], y[blocked] = false, 0
		}
		residual := slices.Clone(b)
		for k, v := range y {
			floats.AddScaled(residual, -v, a[k])
		}
		norm := floats.Norm(residual, 2)
		enter, most := -1, 1e-10*norm
		for k := range a {
			if w := floats.Dot(a[k], residual); !passive[k] && w > most {
				enter, most = k, w
			}
		}
		if enter < 0 || norm <= 1e-13*floats.Norm(b, 2) {
			break
		}
		passive[enter] = true
	}
	floats.Div(y, scale)
	return y
}

// triangular is a least-squares solution over the passive columns, by Gram and Schmidt with
// pivots; columns that depend on others have the factor 0.
func triangular(a [][]float64, b []float64, passive []bool) []float64 {
	var left [][]float64
	var name []int
	for k, p := range passive {
		if p {
			left, name = append(left, slices.Clone(a[k])), append(name, k)
		}
	}
	rest := slices.Clone(b)
	var r [][]float64 // by step, the products with the columns from there on
	var z []float64
	for step := range left {
		pivot := step
		norms := make([]float64, len(left))
		for k := step; k < len(left); k++ {
			norms[k] = floats.Norm(left[k], 2)
			if norms[k] > norms[pivot] {
				pivot = k
			}
		}
		if norms[pivot] < 1e-11 {
			left, name = left[:step], name[:step]
			break
		}
		left[step], left[pivot] = left[pivot], left[step]
		name[step], name[pivot] = name[pivot], name[step]
		for _, row := range r {
			row[step], row[pivot] = row[pivot], row[step]
		}
		q := left[step]
		row := make([]float64, len(left))
		row[step] = norms[pivot]
		floats.Scale(1/norms[pivot], q)
		for k := step + 1; k < len(left); k++ {
			row[k] = floats.Dot(q, left[k])
			floats.AddScaled(left[k], -row[k], q)
		}
		z = append(z, floats.Dot(q, rest))
		floats.AddScaled(rest, -z[step], q)
		r = append(r, row)
	}
	y := make([]float64, len(a))
	for i := len(left) - 1; i >= 0; i-- {
		for k := i + 1; k < len(left); k++ {
			z[i] -= r[i][k] * y[name[k]]
		}
		y[name[i]] = z[i] / r[i][i]
	}
	return y
}

// optimal fails unless theta is the maximum up to a gap of 1e-7 of the cases, by a bound
// of each linked part.
func optimal(t testing.TB, net *bn.Network, s said, n, theta []float64) {
	t.Helper()
	for _, p := range program(t, net, s, n, theta).parts() {
		if gap := p.gap(); !(math.Abs(gap) <= 1e-7*total(p.n)) {
			t.Errorf("a part with %v cases, %d variables and %d claims may rise by %.3g (%.2g a case)", total(p.n),
				len(p.x), len(p.claims), gap, gap/total(p.n))
		}
	}
}

// room is the largest t for which some parameters satisfy the linear claims with every
// entry t at least; −1 when none satisfy them at all.
func room(t testing.TB, net *bn.Network, s said) float64 {
	t.Helper()
	cells := net.Layout().Len()
	slacks := 0
	for _, c := range s.linear {
		if c.atMost {
			slacks++
		}
	}
	claims := s.linear
	for _, sum := range simplexes(net) {
		c := claim{coef: make(map[int]float64), value: 1}
		for _, cell := range sum {
			c.coef[cell] = 1
		}
		claims = append(claims[:len(claims):len(claims)], c)
	}
	// x = y + t with y, t, slacks ≥ 0; redundant equations are dropped by elimination.
	cols := cells + 1 + slacks
	var rows [][]float64
	slack := cells + 1
	for _, c := range claims {
		row := make([]float64, cols+1)
		for i, f := range c.coef {
			row[i] += f
			row[cells] += f
		}
		if c.atMost {
			row[slack] = 1
			slack++
		}
		row[cols] = c.value
		rows = append(rows, row)
	}
	rows, ok := fullrank.Rows(rows)
	if !ok {
		return -1
	}
	a := mat.NewDense(len(rows), cols, nil)
	b := make([]float64, len(rows))
	for i, row := range rows {
		a.SetRow(i, row[:cols])
		b[i] = row[cols]
	}
	cost := make([]float64, cols)
	cost[cells] = -1
	best, _, err := lp.Simplex(cost, a, b, 1e-11, nil)
	if err == lp.ErrInfeasible {
		return -1
	}
	if err != nil {
		t.Logf("linear program: %v", err)
		return math.NaN()
	}
	return -best
}
