package count

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// coverRows are the rows of the sample that tells how many cells occur.
	coverRows = 1 << 14
	// coverCells bounds the cells of a joint count that occur, as the sample foresees them.
	coverCells = 1 << 12
	// coverMost bounds the variables of a joint count, and coverNumbers the numbers of its cells.
	coverMost    = 32
	coverNumbers = 1 << 62
	// coverLeast is the least number of families that a joint count is worth; one for each of its variables, too.
	coverLeast = 8
	// coverFails is the number of joint counts that may turn out to be worth less before no more are sought. As many as
	// coverPoor are made nevertheless where that leaves no family.
	coverFails = 8
	coverPoor  = 3
	// coverAhead bounds the families by which a joint count is extended, so that choosing takes less time than
	// counting.
	coverAhead = 1 << 11
)

// A sample is some rows, drawn at random, that tell how many cells over some variables occur: of variables that depend
// on one another a small part of their product.
type sample struct {
	*columns // of the sampled rows
	numbers  []uint64
	next     []uint64
	seen     cellTable
	most     int // cells
}

// sampled draws the sample, one row of each of as many parts of the rows.
func (c *columns) sampled() *sample {
	c.many.once.Do(func() {
		random := rand.New(rand.NewPCG(1, uint64(c.rows)))
		n := min(c.rows, coverRows)
		rows := make([]int, n)
		for i := range rows {
			lo, hi := i*(c.rows/n), (i+1)*(c.rows/n)
			rows[i] = lo + random.IntN(hi-lo)
		}
		c.many.drawn = &columns{rows: n, card: c.card, states: c.states, col: make([][]uint16, len(c.col))}
		for v, col := range c.col {
			if col == nil {
				continue
			}
			c.many.drawn.col[v] = make([]uint16, n)
			for i, row := range rows {
				c.many.drawn.col[v][i] = col[row]
			}
		}
	})
	n := c.many.drawn.rows
	return &sample{columns: c.many.drawn, numbers: make([]uint64, n), next: make([]uint64, n)}
}

// A memberSet is the variables of families, ascending.
type memberSet struct {
	members  []int
	families []int
}

// setsOf lists the different sets of variables of the families asked for, the largest first.
func setsOf(families []Family, ask []int) []*memberSet {
	var sets []*memberSet
	of := make(map[string]*memberSet)
	var key []byte
	for _, i := range ask {
		f := families[i]
		members := append(append(make([]int, 0, len(f.Parents)+1), f.Parents...), f.Child)
		slices.Sort(members)
		key = Family{Parents: members}.Key(key[:0])
		set := of[string(key)]
		if set == nil {
			set = &memberSet{members: members}
			of[string(key)] = set
			sets = append(sets, set)
		}
		set.families = append(set.families, i)
	}
	slices.SortStableFunc(sets, func(a, b *memberSet) int {
		return cmp.Or(cmp.Compare(len(b.members), len(a.members)), slices.Compare(a.members, b.members))
	})
	return sets
}

// cover chooses joint counts of which families are margins, and returns the families that none is worth its while for.
// A joint count begins with the largest family that is left, and takes up the variables that bring the most families
// for each, while few cells occur.
func (s *sample) cover(families []Family, ask []int, most int) (joints []*joint, left []int) {
	s.most = most
	open := setsOf(families, ask)
	var poor []*joint
	in := make([]bool, len(s.card))
	for len(open) > 0 && len(poor) < coverFails {
		first := open[0]
		members, ok := s.extend(first.members, open[:min(len(open), coverAhead)], in)
		if !ok {
			left = append(left, first.families...)
			open = open[1:]
			continue
		}
		j := &joint{members: members}
		clear(in)
		for _, v := range members {
			in[v] = true
		}
		open = slices.DeleteFunc(open, func(set *memberSet) bool {
			for _, v := range set.members {
				if !in[v] {
					return false
				}
			}
			j.families = append(j.families, set.families...)
			return true
		})
		if len(j.families) < max(coverLeast, len(members)) {
			poor = append(poor, j)
		} else {
			joints = append(joints, j)
		}
	}
	if len(open) == 0 && len(left) == 0 && len(poor) <= coverPoor {
		return append(joints, poor...), nil
	}
	for _, j := range poor {
		left = append(left, j.families...)
	}
	for _, set := range open {
		left = append(left, set.families...)
	}
	return joints, left
}

// extend returns the variables of a joint count that begins with some, and whether few of their cells occur.
func (s *sample) extend(members []int, open []*memberSet, in []bool) ([]int, bool) {
	clear(s.numbers)
	if product := s.cells(members); !(product <= coverNumbers) || !s.few(s.numbers, members) {
		return nil, false
	}
	s.numbers, s.next = s.next, s.numbers
	clear(in)
	for _, v := range members {
		in[v] = true
	}
	refused := make([]bool, len(s.card))
	for {
		more := wanted(open, in, refused)
		if more == nil {
			slices.Sort(members)
			return members, true
		}
		all := slices.Concat(members, more)
		if len(all) > coverMost || s.cells(all) > coverNumbers || !s.few(s.numbers, more) {
			for _, v := range more {
				refused[v] = true
			}
			continue
		}
		s.numbers, s.next = s.next, s.numbers
		members = all
		for _, v := range more {
			in[v] = true
		}
	}
}

// wanted returns the variables that bring the most families for each, of those that are not refused.
func wanted(open []*memberSet, in, refused []bool) []int {
	const most = 3
	type lack struct{ v [most]int } // variables, then −1
	brings := make(map[lack]int)
	var best lack
	worth := 0.0
next:
	for _, set := range open {
		lacks, n := lack{[most]int{-1, -1, -1}}, 0
		for _, v := range set.members {
			if in[v] {
				continue
			}
			if n == most || refused[v] {
				continue next
			}
			lacks.v[n] = v
			n++
		}
		if n == 0 {
			continue
		}
		brings[lacks] += len(set.families)
		if w := float64(brings[lacks]) / float64(n); w > worth {
			best, worth = lacks, w
		}
	}
	if worth == 0 {
		return nil
	}
	if end := slices.Index(best.v[:], -1); end > 0 {
		return slices.Clone(best.v[:end])
	}
	return slices.Clone(best.v[:])
}

// few extends the numbers of the sample's cells by more variables, in s.next, and reports whether few of them occur in
// all rows: those seen, and f1 (f1 − 1) / 2 (f2 + 1) more, of f1 seen once and f2 seen twice (Chao 1984, corrected for
// bias; a lower bound in expectation).
func (s *sample) few(base []uint64, more []int) bool {
	copy(s.next, base)
	for _, v := range more {
		card := uint64(s.card[v])
		for i, state := range s.col[v] {
			s.next[i] = s.next[i]*card + uint64(state)
		}
	}
	s.seen.reset()
	for _, number := range s.next {
		if s.seen.add(number, 1); s.seen.used > s.most {
			return false
		}
	}
	once, twice := 0.0, 0.0
	for _, p := range s.seen.parts {
		for _, x := range p.slots {
			switch x.n {
			case 1:
				once++
			case 2:
				twice++
			}
		}
	}
	return float64(s.seen.used)+math.Max(0, once*(once-1)/(2*(twice+1))) <= float64(s.most)
}
