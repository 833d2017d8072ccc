package presolve

import "math"

// Multiples is a union-find over nodes that are known Multiples of each other:
// x_node = scale · x_root. (N06 §4.3, types 2 and 3.)
type Multiples struct {
	parent []int
	scale  []float64 // to the parent
	Size   []int     // of the tree under a root
}

func NewMultiples(n int) *Multiples { return new(Multiples).Reset(n) }

// Reset makes every node a multiple of itself only.
func (u *Multiples) Reset(n int) *Multiples {
	u.parent, u.scale, u.Size = zeroed(u.parent, n), zeroed(u.scale, n), zeroed(u.Size, n)
	for i := range n {
		u.parent[i], u.scale[i], u.Size[i] = i, 1, 1
	}
	return u
}

func (u *Multiples) Root(i int) int {
	r, _ := u.Find(i)
	return r
}

// Find returns the root of i and the multiple of it that i is.
func (u *Multiples) Find(i int) (root int, scale float64) {
	root, scale = i, 1
	for u.parent[root] != root {
		scale *= u.scale[root]
		root = u.parent[root]
	}
	for rest := scale; u.parent[i] != root && i != root; { // compress the path
		next, s := u.parent[i], u.scale[i]
		u.parent[i], u.scale[i] = root, rest
		rest /= s
		i = next
	}
	return root, scale
}

// Join states x_a = ratio · x_b. It reports whether that agrees with what is known.
func (u *Multiples) Join(a, b int, ratio float64) bool {
	ra, sa := u.Find(a)
	rb, sb := u.Find(b)
	if ra == rb {
		return ratio > 0 && math.Abs(sa-ratio*sb) <= FeasibleTol*sa
	}
	if !(ratio > 0) {
		return false
	}
	// sa·x_ra = ratio·sb·x_rb
	if u.Size[ra] < u.Size[rb] {
		u.parent[ra], u.scale[ra] = rb, ratio*sb/sa
		u.Size[rb] += u.Size[ra]
	} else {
		u.parent[rb], u.scale[rb] = ra, sa/(ratio*sb)
		u.Size[ra] += u.Size[rb]
	}
	return true
}
