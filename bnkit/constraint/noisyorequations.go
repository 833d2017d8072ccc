package constraint

import "bnlab/bnkit/bn"

// bound says that the cells F of absence, by configuration of the sets, are products. From the
// configuration r in which F is largest, with r_i that in which set i alone is another,
//
//	F(x) = Π F(r_i) / F(r)^(d−1)
//
// for each x that differs from r in d ≥ 2 sets. So many equations are independent, and what
// they leave free is one F for each configuration of a set, less what sets can pass on to each other.
func (c *causes) bound(layout bn.Layout) Bound {
	b := Bound{product: c}
	cells := make([]int, len(c.config))
	for x, config := range c.config {
		b.Links = append(b.Links, Row{c.child, config})
		cells[x] = layout.Cell(c.child, config, c.absent)
	}
	said := Smooth{Cells: cells}
	for step := range cells {
		if len(c.moves(step)) > 1 {
			e := productEquation{c, c.moves(step)}
			said.Equal = append(said.Equal, Function{Value: e.value, Gradient: e.gradient})
		}
	}
	b.Smooth = []Smooth{said}
	return b
}

// A productEquation is that of the configuration that lies some steps from the reference.
type productEquation struct {
	causes *causes
	moves  []move
}

// A move takes a set some configurations further, round at the last.
type move struct{ set, by int }

// moves lists those that lead from the first configuration to another.
func (c *causes) moves(to int) []move {
	var list []move
	for i := len(c.sizes) - 1; i >= 0; i-- {
		if by := to % c.sizes[i]; by > 0 {
			list = append(list, move{i, by})
		}
		to /= c.sizes[i]
	}
	return list
}

// after is the configuration to which moves lead from x.
func (c *causes) after(x int, moves ...move) int {
	for _, m := range moves {
		stride := 1
		for _, size := range c.sizes[m.set+1:] {
			stride *= size
		}
		at := x / stride % c.sizes[m.set]
		x += ((at+m.by)%c.sizes[m.set] - at) * stride
	}
	return x
}

// reference is the configuration with the largest F.
func reference(f []float64) int {
	r := 0
	for x := range f {
		if f[x] > f[r] {
			r = x
		}
	}
	return r
}

// value is F(x) less what the product makes of it.
func (e productEquation) value(f []float64) float64 {
	r := reference(f)
	return f[e.causes.after(r, e.moves...)] - e.product(f, r, -1)
}

// product is Π F(r_i)/F(r)^(d−1), without the factor of one of the moves.
func (e productEquation) product(f []float64, r, without int) float64 {
	if f[r] == 0 {
		return 0
	}
	p := f[r]
	for i, m := range e.moves {
		if i == without {
			p /= f[r]
		} else {
			p *= f[e.causes.after(r, m)] / f[r]
		}
	}
	return p
}

func (e productEquation) gradient(dst, f []float64) {
	clear(dst)
	r := reference(f)
	dst[e.causes.after(r, e.moves...)] = 1
	if f[r] == 0 {
		return
	}
	for i, m := range e.moves {
		dst[e.causes.after(r, m)] = -e.product(f, r, i)
	}
	dst[r] = float64(len(e.moves)-1) * e.product(f, r, -1) / f[r]
}
