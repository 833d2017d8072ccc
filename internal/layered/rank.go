package layered

// effort bounds a run of the network simplex, in edges looked at.
const effort = 100_000_000

// rank finds the row of each node: edges lead downwards and are short in total, and nodes that may lie in several
// rows are in the least crowded (Gansner et al. 1993, §2).
func (p *part) rank() {
	p.span = 1
	for _, e := range p.edges {
		if e.LabelWidth > 0 {
			p.span = 2
		}
	}
	springs := make([]spring, len(p.edges))
	for i, e := range p.edges {
		springs[i] = spring{e.From, e.To, 1, 1}
	}
	s := newSimplex(len(p.nodes), springs)
	s.solve(effort)
	first := s.y[0]
	for _, y := range s.y {
		first = min(first, y)
	}
	crowd := make(map[int]float64) // width of each row
	for v := range s.y {
		s.y[v] -= first
		crowd[s.y[v]] += p.nodes[v].Width
	}
	for v := range s.y {
		s.settle(v, p.nodes[v].Width, crowd)
	}
	p.rows = s.y
	for v := range p.rows {
		p.rows[v] *= p.span // a row for labels between any two
	}
}

// settle moves a node of a width to the row of those as good where least stands.
func (s *simplex) settle(v int, width float64, crowd map[int]float64) {
	lo, hi, balance := -1, -1, 0
	for _, i := range s.at[v] {
		e := s.edges[i]
		if e.head == v {
			lo = max(lo, s.y[e.tail]+e.least)
			balance--
		} else {
			if y := s.y[e.head] - e.least; hi < 0 || y < hi {
				hi = y
			}
			balance++
		}
	}
	if balance != 0 || lo < 0 {
		return
	}
	crowd[s.y[v]] -= width
	best := s.y[v]
	for y := lo; y <= hi; y++ {
		if crowd[y] < crowd[best] {
			best = y
		}
	}
	crowd[best] += width
	s.y[v] = best
}

// pieces counts the rows that edges go down.
func (p *part) pieces() float64 {
	n := 0.0
	for _, e := range p.edges {
		n += float64(p.rows[e.To] - p.rows[e.From])
	}
	return n
}

// A spot is what has a place in a row: a node, or the bend of an edge.
type spot struct {
	row, at     int // row and place in it
	edge        int // -1 for a node
	left, right float64
	x           float64
	up, down    []int // neighbours in the rows above and below
}

func (s *spot) bend() bool { return s.edge >= 0 }

// labelled reports whether the label of an edge stands beside a bend.
func (s *spot) labelled() bool { return s.bend() && s.right > bendWidth }

// layers makes the spots, in rows by their numbers.
func (p *part) layers() {
	last := 0
	for _, r := range p.rows {
		last = max(last, r)
	}
	p.layer = make([][]int, last+1)
	p.tall = make([]float64, last+1)
	add := func(s spot, tall float64) int {
		s.at = len(p.layer[s.row])
		p.layer[s.row] = append(p.layer[s.row], len(p.spots))
		p.spots = append(p.spots, s)
		p.tall[s.row] = max(p.tall[s.row], tall)
		return len(p.spots) - 1
	}
	for v, n := range p.nodes {
		add(spot{row: p.rows[v], edge: -1, left: n.Width / 2, right: n.Width / 2}, n.Height)
	}
	p.chains = make([][]int, len(p.edges))
	for i, e := range p.edges {
		chain := []int{e.From}
		from, to := p.rows[e.From], p.rows[e.To]
		label := 0
		if e.LabelWidth > 0 {
			label = (from + to) / 2
			label += 1 - label%2 // an odd row, where no nodes are
		}
		for r := from + 1; r < to; r++ {
			s, tall := spot{row: r, edge: i, left: bendWidth, right: bendWidth}, 0.0
			if r == label {
				s.left, s.right, tall = besideLabel, bendWidth+e.LabelWidth, e.LabelHeight
			}
			chain = append(chain, add(s, tall))
		}
		chain = append(chain, e.To)
		for k := 1; k < len(chain); k++ {
			a, b := chain[k-1], chain[k]
			p.spots[a].down = append(p.spots[a].down, b)
			p.spots[b].up = append(p.spots[b].up, a)
		}
		p.chains[i] = chain
	}
	row := p.gaps.Row / float64(p.span)
	y := 0.0
	p.y = make([]float64, len(p.tall))
	for r, t := range p.tall {
		p.y[r] = y + t/2
		y += t + row
	}
	p.height = y - row
}

const (
	bendWidth   = 1 // half of the room of an edge in a row
	besideLabel = 8 // room left of a label, where its edge passes
)
