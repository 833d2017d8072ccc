package bn

import (
	"slices"
	"strings"
)

// A CPDAG (completed partially directed acyclic graph, or essential graph) represents a Markov
// equivalence class: the DAGs with the same d-separations, which observational data cannot
// distinguish. An arc is directed if all DAGs of the class agree on its direction, and undirected
// otherwise.
type CPDAG struct {
	member    *DAG
	compelled [][]bool // by child and place among its parents in the member
}

// CPDAG returns the Markov equivalence class of the graph, in O(arcs × parents²) steps. Source:
// Chickering 1995, "A transformational characterization of equivalent Bayesian network structures",
// algorithms Order-Edges and Label-Edges.
func (g *DAG) CPDAG() *CPDAG {
	const (
		unknown = iota
		compelled
		reversible
	)
	rank := make([]int, g.Len())
	for i, v := range g.order {
		rank[v] = i
	}
	label := make([][]int, g.Len()) // as g.parents
	for v, ps := range g.parents {
		label[v] = make([]int, len(ps))
	}
	fill := func(v, with int) {
		for i := range label[v] {
			if label[v][i] == unknown {
				label[v][i] = with
			}
		}
	}
	for _, y := range g.order {
		// The arcs into y, those from the latest parents first.
		turn := make([]int, len(g.parents[y]))
		for i := range turn {
			turn[i] = i
		}
		slices.SortFunc(turn, func(i, j int) int { return rank[g.parents[y][j]] - rank[g.parents[y][i]] })
	arcs:
		for _, i := range turn {
			if label[y][i] != unknown {
				continue
			}
			x := g.parents[y][i]
			for k, w := range g.parents[x] {
				if label[x][k] != compelled {
					continue
				}
				at := slices.Index(g.parents[y], w)
				if at < 0 { // w → x — y must not become a meeting of arrows
					for j := range label[y] {
						label[y][j] = compelled
					}
					continue arcs
				}
				label[y][at] = compelled // or else y → w → x → y
			}
			with := reversible
			for _, z := range g.parents[y] {
				if z != x && !slices.Contains(g.parents[x], z) {
					with = compelled // arrows meet at y, or it follows from some that do
					break
				}
			}
			label[y][i] = with
			fill(y, with)
		}
	}
	c := &CPDAG{member: g, compelled: make([][]bool, g.Len())}
	for v := range label {
		c.compelled[v] = make([]bool, len(label[v]))
		for i, l := range label[v] {
			c.compelled[v][i] = l == compelled
		}
	}
	return c
}

// Member returns a graph of the class, the one it was made from.
func (c *CPDAG) Member() *DAG { return c.member }

// IsDirected reports whether there is a directed arc from parent to child. It panics when one
// is out of range.
func (c *CPDAG) IsDirected(parent, child int) bool {
	i := slices.Index(c.member.parents[child], parent)
	return i >= 0 && c.compelled[child][i]
}

// IsUndirected reports whether there is an undirected arc between two variables. It panics
// when one is out of range.
func (c *CPDAG) IsUndirected(a, b int) bool {
	if slices.Contains(c.member.parents[a], b) {
		a, b = b, a
	}
	return slices.Contains(c.member.parents[b], a) && !c.IsDirected(a, b)
}

// Directed returns the directed arcs, parent and child, in the order of the children.
func (c *CPDAG) Directed() [][2]string { return c.arcs(true) }

// Undirected returns the undirected arcs, the earlier variable first.
func (c *CPDAG) Undirected() [][2]string { return c.arcs(false) }

func (c *CPDAG) arcs(directed bool) [][2]string {
	var arcs [][2]int
	for v, ps := range c.member.parents {
		for i, p := range ps {
			switch {
			case c.compelled[v][i] != directed:
			case directed:
				arcs = append(arcs, [2]int{p, v})
			default:
				arcs = append(arcs, [2]int{min(p, v), max(p, v)})
			}
		}
	}
	if !directed {
		slices.SortFunc(arcs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	}
	names := make([][2]string, len(arcs))
	for i, a := range arcs {
		names[i] = [2]string{c.member.names[a[0]], c.member.names[a[1]]}
	}
	return names
}

// String prints the class as a model string of its directed arcs, followed by its undirected
// ones, as in
//
//	[A][B][C|A:B][D] — [B–D]
func (c *CPDAG) String() string {
	var b strings.Builder
	g := c.member
	for v, name := range g.names {
		b.WriteString("[" + name)
		bar := "|"
		for i, p := range g.parents[v] {
			if c.compelled[v][i] {
				b.WriteString(bar + g.names[p])
				bar = ":"
			}
		}
		b.WriteString("]")
	}
	for i, a := range c.Undirected() {
		if i == 0 {
			b.WriteString(" — ")
		}
		b.WriteString("[" + a[0] + "–" + a[1] + "]")
	}
	return b.String()
}

// Equal reports whether both are the same class over the same variables, in any order.
func (c *CPDAG) Equal(d *CPDAG) bool {
	if c.member.Len() != d.member.Len() || c.member.Arcs() != d.member.Arcs() {
		return false
	}
	at, err := d.member.indices(c.member.names)
	if err != nil {
		return false
	}
	for v, ps := range c.member.parents {
		for i, p := range ps {
			if c.compelled[v][i] && !d.IsDirected(at[p], at[v]) || !c.compelled[v][i] && !d.IsUndirected(at[p], at[v]) {
				return false
			}
		}
	}
	return true
}

// Equivalent reports whether g and other, over the same variables in any order, are Markov
// equivalent: they have the same skeleton and the same v-structures (Verma and Pearl 1990), and so
// the same d-separations. Graphs over different variables are not.
func (g *DAG) Equivalent(other *DAG) bool { return g.CPDAG().Equal(other.CPDAG()) }
