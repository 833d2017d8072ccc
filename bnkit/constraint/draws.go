package constraint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/cores"
	"bnlab/internal/hitrun"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/say"

	"bnlab/bnkit/bn"
)

// Draws are draws of the tables of variables from the posterior: the Dirichlet density with the counts
// added, restricted to the statements. (N06 §4.1.2.)
type Draws struct {
	Theta [][]float64 // by draw, then by entry: of the tables in the order asked for
	// Planned is the number of draws that were asked for, more than those in Theta when a done
	// context ended the simulation.
	Planned int
	// Exact: the draws are independent, because the statements leave independent Dirichlet
	// densities of masses and shapes. Otherwise they come from hit-and-run chains.
	Exact bool
	// SplitRhat compares the chains, the worst over the entries: 1 when they agree; above
	// 1.05 more draws are needed.
	SplitRhat float64
	// EffectiveDraws is the number of independent draws that tell as much, the smallest
	// over the entries.
	EffectiveDraws float64
}

// mostDrawn bounds the numbers that draws take room for (1 GiB).
const mostDrawn = 1 << 27

// Draw draws the tables of the named variables jointly from the posterior given counts n: tables that
// statements link are drawn together. Errors are those of [Problem.LogMarginal], [bn.ErrTooLarge] for draws
// beyond 1 GiB, and errors for no name, a name that appears twice and a missing source of randomness. When
// ctx is done, its error comes together with the draws that were made by then, if any.
func (p *Problem) Draw(ctx context.Context, n, pseudocounts []float64, set *Sampling, names ...string) (*Draws, error) {
	p.check(n, pseudocounts)
	_, posterior, err := p.exponents(n, pseudocounts)
	if err != nil {
		return nil, err
	}
	// at is where the table of a variable begins among the entries drawn, -1 when it is not drawn.
	at, width := make([]int, p.net.Len()), 0
	for v := range at {
		at[v] = -1
	}
	for _, name := range names {
		v, err := p.net.Index(name)
		if err != nil {
			return nil, say.Errorf("constraint: %w", err)
		}
		if p.net.CPT(v) == nil {
			return nil, say.Errorf("constraint: draws of a table, but %q is continuous: %w", name, bn.ErrNotDiscrete)
		}
		if at[v] >= 0 {
			return nil, say.Errorf("constraint: draws of a table: %w: %q appears twice", bn.ErrDuplicate, name)
		}
		from, to := p.layout.Family(v)
		at[v], width = width, width+to-from
	}
	if width == 0 {
		return nil, errors.New("constraint: draws of no table; name variables")
	}
	sim, err := set.simulation(largestDraw)
	if err != nil {
		return nil, err
	}
	src, err := sim.source()
	if err != nil {
		return nil, err
	}
	for v := range at {
		for from, to := p.layout.Family(v); at[v] >= 0 && from < to; from++ {
			if !(posterior[from] > 0) {
				return nil, p.improper(from)
			}
		}
	}
	count := sim.budget.Draws
	if count > mostDrawn/width {
		return nil, fmt.Errorf("constraint: %w: %d draws of %d entries; at most %d draws of so many", bn.ErrTooLarge,
			count, width, mostDrawn/width)
	}
	out := &Draws{Theta: make([][]float64, count), Planned: count, Exact: true, SplitRhat: 1,
		EffectiveDraws: float64(count)}
	const block = 4096 // draws that get their room at once
	var flat []float64
	for i := range out.Theta {
		if i%block == 0 {
			if !sim.proceed(ctx) {
				return nil, say.Errorf("constraint: before the first draw: %w", ctx.Err())
			}
			flat = make([]float64, min(block, count-i)*width)
		}
		out.Theta[i], flat = flat[:width:width], flat[width:]
	}
	parts := slices.DeleteFunc(slices.Clone(p.parts), func(part *plan) bool {
		return !slices.ContainsFunc(part.rows, func(r Row) bool { return at[r.Var] >= 0 })
	})
	left := len(parts) // distributions and parts
	for row := range p.freeRows {
		if at[row.Var] >= 0 {
			left++
		}
	}
	const stride = 64
	for row := range p.freeRows {
		if at[row.Var] < 0 {
			continue
		}
		left--
		lo, hi := p.layout.Row(row.Var, row.Config)
		first, _ := p.layout.Family(row.Var)
		for i, theta := range out.Theta {
			if i%stride == 0 && !sim.proceed(ctx) {
				out.Theta = out.Theta[:cut(i, left)]
				break
			}
			presolve.Dirichlet(theta[at[row.Var]+lo-first:at[row.Var]+hi-first], posterior[lo:hi], src)
		}
		if len(out.Theta) == 0 {
			return nil, say.Errorf("constraint: before the first draw: %w", ctx.Err())
		}
	}
	sim.total = count * len(parts)
	for _, part := range parts {
		d, err := p.drawPart(ctx, part, posterior, sim, len(out.Theta))
		if err != nil {
			return nil, p.named(part, err)
		}
		if left--; len(d.Theta) < len(out.Theta) {
			d.Theta = d.Theta[:cut(len(d.Theta), left)]
		}
		if out.Theta = out.Theta[:len(d.Theta)]; len(out.Theta) == 0 {
			return nil, say.Errorf("constraint: before the first draw: %w", ctx.Err())
		}
		for leaf, cell := range part.cells {
			v, _, _ := p.layout.Locate(cell)
			if at[v] < 0 {
				continue
			}
			first, _ := p.layout.Family(v)
			for i, x := range d.Theta {
				out.Theta[i][at[v]+cell-first] = x[leaf]
			}
		}
		out.Exact = out.Exact && d.Exact
		out.SplitRhat, out.EffectiveDraws = max(out.SplitRhat, d.SplitRhat), min(out.EffectiveDraws, d.EffectiveDraws)
	}
	if sim.ended {
		out.EffectiveDraws = min(out.EffectiveDraws, float64(len(out.Theta)))
		return out, ctx.Err()
	}
	return out, nil
}

// Interval returns the credible interval of an entry, which leaves (1−level)/2 of the draws on
// either side: the median for a level of 0 or less, all draws for 1 or more. It panics when
// there is no such entry, or no draw.
func (d *Draws) Interval(entry int, level float64) (lo, hi float64) {
	if !(level > 0) {
		level = 0
	}
	level = min(level, 1)
	x := d.column(entry)
	slices.Sort(x)
	at := func(q float64) float64 {
		f := q * float64(len(x)-1)
		i := min(int(f), len(x)-2)
		return x[i] + (f-float64(i))*(x[i+1]-x[i])
	}
	if len(x) == 1 {
		return x[0], x[0]
	}
	return at((1 - level) / 2), at((1 + level) / 2)
}

func (d *Draws) column(entry int) []float64 {
	x := make([]float64, len(d.Theta))
	for i, theta := range d.Theta {
		x[i] = theta[entry]
	}
	return x
}

func (d *Draws) moments(entry int) (mean, spread float64) {
	x := d.column(entry)
	mean = num.Sum(x) / float64(len(x))
	for _, y := range x {
		spread += (y - mean) * (y - mean)
	}
	return mean, math.Sqrt(spread / float64(max(1, len(x)-1)))
}

// drawPart draws the entries of a part, by leaf, count times or until the context is done.
func (p *Problem) drawPart(ctx context.Context, part *plan, posterior []float64, sim *simulation, count int) (*Draws,
	error) {
	src, err := sim.source()
	if err != nil {
		return nil, err
	}
	e, x := make([]float64, part.nodes), make([]float64, part.nodes)
	if _, err := p.pushExponents(part, e, posterior); err != nil {
		return nil, err
	}
	d := &Draws{Exact: true, SplitRhat: 1}
	if sim.budget.Err == nil {
		sim.budget.Err = func() error { return sim.late(ctx) }
	}
	var samplers []*cores.Sampler
	for _, c := range part.cores {
		s, err := cores.NewSampler(c, e, &sim.budget)
		if err != nil {
			return nil, p.simulated(part, err)
		}
		d.Exact = d.Exact && s.Exact
		samplers = append(samplers, s)
	}
	for i := range count {
		if !sim.step(ctx) {
			break
		}
		for _, s := range samplers {
			s.Draw(x, i)
		}
		for k := len(part.steps) - 1; k >= 0; k-- {
			part.steps[k].Draw(x, e, src)
		}
		d.Theta = append(d.Theta, slices.Clone(x[:len(part.cells)]))
	}
	d.EffectiveDraws = float64(len(d.Theta))
	if !d.Exact && len(d.Theta) > 0 {
		d.diagnose(ctx)
	}
	return d, nil
}

// diagnose compares the chains.
func (d *Draws) diagnose(ctx context.Context) {
	each := (len(d.Theta) + cores.Chains - 1) / cores.Chains
	d.SplitRhat, d.EffectiveDraws = hitrun.Compare(d.Theta, each, ctx.Err)
}
