package constraint

import "math"

// multiples is a union-find over nodes that are known multiples of each other:
// x_node = scale · x_root.
type multiples struct {
	parent []int
	scale  []float64 // to the parent
	size   []int     // of the tree under a root
}

func newMultiples(n int) *multiples { return new(multiples).reset(n) }

// reset makes every node a multiple of itself only.
func (u *multiples) reset(n int) *multiples {
	u.parent, u.scale, u.size = zeroed(u.parent, n), zeroed(u.scale, n), zeroed(u.size, n)
	for i := range n {
		u.parent[i], u.scale[i], u.size[i] = i, 1, 1
	}
	return u
}

func (u *multiples) root(i int) int {
	r, _ := u.find(i)
	return r
}

// find returns the root of i and the multiple of it that i is.
func (u *multiples) find(i int) (root int, scale float64) {
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

// join states x_a = ratio · x_b. It reports whether that agrees with what is known.
func (u *multiples) join(a, b int, ratio float64) bool {
	ra, sa := u.find(a)
	rb, sb := u.find(b)
	if ra == rb {
		return ratio > 0 && math.Abs(sa-ratio*sb) <= feasibleTol*sa
	}
	if !(ratio > 0) {
		return false
	}
	// sa·x_ra = ratio·sb·x_rb
	if u.size[ra] < u.size[rb] {
		u.parent[ra], u.scale[ra] = rb, ratio*sb/sa
		u.size[rb] += u.size[ra]
	} else {
		u.parent[rb], u.scale[rb] = ra, sa/(ratio*sb)
		u.size[ra] += u.size[rb]
	}
	return true
}
