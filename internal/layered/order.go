package layered

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Bounds on the search for an order.
const (
	sweeps    = 24         // without progress, from one start
	starts    = 32         // at most
	patience  = 12         // starts without progress
	orderWork = 25_000_000 // about as many looks at neighbours
)

// An order is the spots of each row from left to right, and how many edges cross.
type order struct {
	rows      [][]int
	crossings int
}

// reduceCrossings finds orders in which few edges cross: by medians of neighbours, down and up in turns, and swaps
// of neighbours (Gansner et al. 1993, §3), from several orders to begin with. It returns the best, the first with the
// fewest crossings; of small graphs a few that are nearly as good too.
func (p *part) reduceCrossings() []order {
	const few, small = 8, 1000
	o := &ordering{part: p, work: orderWork}
	found := []order{p.current(p.crossings())}
	rng := rand.New(rand.NewPCG(1, uint64(len(p.spots))))
	idle := 0
	for start := range starts {
		if len(p.layer) < 2 || start > 1 && o.work <= 0 || idle == patience {
			break
		}
		o.begin(start, rng)
		next := o.improve()
		if idle++; next.crossings < found[0].crossings {
			idle = 0
		}
		same := func(f order) bool { return slices.EqualFunc(f.rows, next.rows, slices.Equal[[]int]) }
		if !slices.ContainsFunc(found, same) {
			found = append(found, next)
		}
		slices.SortStableFunc(found, func(a, b order) int { return cmp.Compare(a.crossings, b.crossings) })
		found = found[:min(len(found), few)]
	}
	if len(p.spots) > small {
		return found[:1]
	}
	fewest := found[0].crossings
	return slices.DeleteFunc(found, func(f order) bool { return f.crossings > fewest+1+fewest/10 })
}

type ordering struct {
	*part
	work  int
	ends  []int
	above [][]int // places of the neighbours, sorted, by spot
	below [][]int
}

// current returns the order as it is, in which n edges cross.
func (p *part) current(n int) order {
	rows := make([][]int, len(p.layer))
	for r := range rows {
		rows[r] = slices.Clone(p.layer[r])
	}
	return order{rows, n}
}

func (p *part) set(o order) {
	for r, row := range o.rows {
		p.layer[r] = slices.Clone(row)
		p.number(r)
	}
}

// number gives the spots of a row their places.
func (p *part) number(r int) {
	for at, v := range p.layer[r] {
		p.spots[v].at = at
	}
}

// begin sets an order: that in which a walk finds the spots, from the top or from the bottom, in breadth or in depth,
// first as the spots stand in the input and then in random orders.
func (o *ordering) begin(start int, rng *rand.Rand) {
	perm := make([]int, len(o.spots))
	for i := range perm {
		perm[i] = i
	}
	if start > 3 {
		rng.Shuffle(len(perm), func(i, j int) { perm[i], perm[j] = perm[j], perm[i] })
	}
	for r := range o.layer {
		o.layer[r] = o.layer[r][:0]
	}
	seen := make([]bool, len(o.spots))
	var queue []int
	add := func(v int) {
		if !seen[v] {
			seen[v] = true
			s := &o.spots[v]
			s.at = len(o.layer[s.row])
			o.layer[s.row] = append(o.layer[s.row], v)
			queue = append(queue, v)
		}
	}
	deep := start == 1 || start == 2 || start > 3 && start%4 > 1
	walk := func() {
		for len(queue) > 0 {
			var v int
			if deep {
				v, queue = queue[len(queue)-1], queue[:len(queue)-1]
			} else {
				v, queue = queue[0], queue[1:]
			}
			s := &o.spots[v]
			for _, w := range s.down {
				add(w)
			}
			for _, w := range s.up {
				add(w)
			}
		}
	}
	for pass := range 2 {
		for _, v := range perm {
			s := &o.spots[v]
			if pass == 1 || start%2 == 0 && len(s.up) == 0 || start%2 == 1 && len(s.down) == 0 {
				add(v)
				walk()
			}
		}
	}
}

// improve sweeps until little is gained, and returns the best order on the way.
func (o *ordering) improve() order {
	o.swaps(false)
	best := o.current(o.crossings())
	idle := 0
	for sweep := 0; idle < sweeps && best.crossings > 0 && (o.work > 0 || sweep < 4); sweep++ {
		o.work -= 8 * len(o.spots)
		o.medians(sweep%2 == 0, sweep%4 < 2, sweep/8%2 == 1)
		o.swaps(sweep%4 >= 2)
		idle++
		if n := o.crossings(); n < best.crossings {
			if n < best.crossings-best.crossings/100 {
				idle = 0
			}
			best = o.current(n)
		}
	}
	return best
}

// medians orders each row by the medians, or means, of the places of its neighbours in the row before. Spots
// without neighbours stay where they are.
func (o *ordering) medians(down, flip, means bool) {
	type rated struct {
		v    int
		rate float64
	}
	var moving []rated
	var places []int
	for k := range len(o.layer) - 1 {
		r := k + 1
		if !down {
			r = len(o.layer) - 2 - k
		}
		row := o.layer[r]
		moving, places = moving[:0], places[:0]
		for at, v := range row {
			near := o.spots[v].up
			if !down {
				near = o.spots[v].down
			}
			if len(near) > 0 {
				moving, places = append(moving, rated{v, o.rate(near, means)}), append(places, at)
			}
		}
		if flip {
			slices.Reverse(moving)
		}
		slices.SortStableFunc(moving, func(a, b rated) int { return cmp.Compare(a.rate, b.rate) })
		for i, m := range moving {
			row[places[i]] = m.v
		}
		o.number(r)
	}
}

// rate is the mean, or the weighted median (Gansner et al. 1993, §3.2), of the places of some spots.
func (o *ordering) rate(near []int, means bool) float64 {
	at := o.ends[:0]
	sum := 0
	for _, w := range near {
		at = append(at, o.spots[w].at)
		sum += o.spots[w].at
	}
	o.ends = at
	n := len(at)
	if means {
		return float64(sum) / float64(n)
	}
	slices.Sort(at)
	switch m := n / 2; {
	case n%2 == 1:
		return float64(at[m])
	case n == 2:
		return float64(at[0]+at[1]) / 2
	default:
		left, right := float64(at[m-1]-at[0]), float64(at[n-1]-at[m])
		if left+right == 0 {
			return float64(at[m-1]+at[m]) / 2
		}
		return (float64(at[m-1])*right + float64(at[m])*left) / (left + right)
	}
}
