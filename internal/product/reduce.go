package product

import (
	"slices"

	"bnlab/internal/say"
)

// A reduction rewrites relations in terms of single sets, where factors that both sides share
// are left out, and joins what they make equal.
type reduction struct {
	Problem
	configs   int
	strides   []int
	class     [][]int // by set and local configuration, the first that is equal to it
	relations []within
	across    []crossing
	interior  [][]float64 // by set, g at a point inside; nil where orders alone give one
	vars      int
}

// A within is a relation of local configurations of one set. One with a margin is about the
// configurations that have the others of context.
type within struct {
	set        int
	less, more []int
	margin     float64
	context    int
}

// A crossing is a relation over two sets, (A(p) − A(q))·(B(r) − B(s)) ≤ 0. (Such is the synergy of Y13 Eq. 5
// for parents in two sets.)
type crossing struct{ first, p, q, second, r, s int }

func newReduction(p Problem) *reduction {
	d := &reduction{Problem: p, configs: 1, strides: make([]int, len(p.Sizes)), class: make([][]int, len(p.Sizes)),
		interior: make([][]float64, len(p.Sizes))}
	for i := len(p.Sizes) - 1; i >= 0; i-- {
		d.strides[i] = d.configs
		d.configs *= p.Sizes[i]
		d.class[i] = make([]int, p.Sizes[i])
		for x := range d.class[i] {
			d.class[i][x] = x
		}
	}
	return d
}

// local is the configuration of one set in x.
func (d *reduction) local(x, set int) int { return x / d.strides[set] % d.Sizes[set] }

func (d *reduction) locals(list []int, set int) []int {
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = d.local(x, set)
	}
	return out
}

func (d *reduction) reduce() error {
	for _, r := range d.Relations {
		if err := d.read(r); err != nil {
			return err
		}
	}
	for changed := true; changed; {
		if err := d.tidy(); err != nil {
			return err
		}
		var err error
		if changed, err = d.join(); err != nil {
			return err
		}
	}
	for _, c := range d.across {
		if err := d.implied(c); err != nil {
			return err
		}
	}
	d.prune()
	return nil
}

// read finds the set in which the configurations of a relation differ, or the two.
func (d *reduction) read(r Relation) error {
	all := slices.Concat(r.Less, r.More)
	var sets []int
	for i := range d.Sizes {
		if slices.ContainsFunc(all, func(x int) bool { return d.local(x, i) != d.local(all[0], i) }) {
			sets = append(sets, i)
		}
	}
	switch {
	case len(all) == 0 || len(sets) == 0:
		sets = []int{0}
		fallthrough
	case len(sets) == 1:
		i := sets[0]
		d.relations = append(d.relations, within{i, d.locals(r.Less, i), d.locals(r.More, i), r.Margin, all[0]})
		return nil
	case len(sets) == 2 && len(r.Less) == 2 && len(r.More) == 2 && r.Margin == 0:
		a, b := d.locals(r.Less, sets[0]), d.locals(r.Less, sets[1])
		c := crossing{sets[0], a[0], a[1], sets[1], b[0], b[1]}
		x := r.Less[0] + (c.q-c.p)*d.strides[c.first]
		y := r.Less[0] + (c.s-c.r)*d.strides[c.second]
		if slices.Contains(r.More, x) && slices.Contains(r.More, y) && x != y {
			d.across = append(d.across, c)
			return nil
		}
	}
	return ErrUnsupported
}

// tidy puts classes in the place of configurations, cancels what stands on both sides, and
// drops what says nothing or appears twice.
func (d *reduction) tidy() error {
	kept := d.relations[:0]
	for _, r := range d.relations {
		for _, side := range [...][]int{r.less, r.more} {
			for k, x := range side {
				side[k] = d.class[r.set][x]
			}
			slices.Sort(side)
		}
		r.less, r.more = cancel(r.less, r.more)
		switch {
		case len(r.more) == 0 && len(r.less) == 0 && r.margin > 0:
			return say.Errorf("%w: what has to differ by a margin of %v has to be equal", ErrInfeasible, r.margin)
		case len(r.less) == 0 && r.margin == 0:
			continue
		case len(r.more) == 0 || len(r.less) == 0:
			return ErrUnsupported
		}
		kept = append(kept, r)
	}
	slices.SortStableFunc(kept, within.compare)
	d.relations = slices.CompactFunc(kept, func(a, b within) bool { return a.compare(b) == 0 })
	return nil
}
