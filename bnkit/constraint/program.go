package constraint

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
)

// A program is the estimation of one part, maximise Σ n log x under linear relations
// between its nodes and x ≥ 0, while it is being reduced. At first the nodes are the
// part's table entries; each step of the reduction replaces some nodes by fewer. Where
// nothing is left, the steps are a closed form: all those of N06 §4.3 come about so.
type program struct {
	nodes     int
	leaves    []float64 // by node, the table entries behind it
	relations []relation
	steps     []step
	scratch   *scratch
}

// scratch is what the rules need for a moment, kept between parts.
type scratch struct {
	leaf  []int32 // by table entry
	count []int
	flat  []term
	cols  [][]term
	hash  []uint64
	order []int
	where []int
	drop  []bool
}

// zeroed returns a slice of n zeros, in the space of s if there is room.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// A relation is Σ coef · x_index = value, or ≤ value.
type relation struct {
	index  []int // ascending, each once
	coef   []float64
	value  float64
	atMost bool
}

// feasibleTol is what rounding in a statement's numbers may amount to: proportions and
// known values are typed with few digits, but added up here.
const feasibleTol = 1e-9

// equalTol is what rounding in sums of coefficients amounts to.
const equalTol = 1e-12

func (p *program) newNode(leaves float64) int {
	p.nodes++
	p.leaves = append(p.leaves, leaves)
	return p.nodes - 1
}

// rules are the reductions, cheap ones first. Each reports whether it changed anything, and
// an error that wraps ErrInfeasible when the relations contradict each other in a way that
// shows there.
var rules = [...]func(*program) (bool, error){
	(*program).settle, (*program).tie, (*program).deduplicate, (*program).merge, (*program).alike, (*program).idle, (*program).detach,
}

// reduce applies the rules until none applies.
func (p *program) reduce() error {
	for next := 0; next < len(rules); {
		changed, err := rules[next](p)
		if err != nil {
			return err
		}
		if next++; changed {
			next = 0
		}
	}
	return nil
}

// settle fixes what a relation alone determines: a single node of an equality, and nodes
// that add up to at most zero.
func (p *program) settle() (bool, error) {
	value := make(map[int]float64)
	fix := func(node int, v float64) error {
		if v < 0 {
			if v < -feasibleTol {
				return fmt.Errorf("%w: a probability would have to be %.6g", ErrInfeasible, v)
			}
			v = 0
		}
		if old, ok := value[node]; ok {
			if math.Abs(old-v) > feasibleTol*max(1, math.Abs(v)) {
				return fmt.Errorf("%w: a probability would have to be both %.6g and %.6g", ErrInfeasible, old, v)
			}
			return nil
		}
		value[node] = v
		p.steps = append(p.steps, &fixed{node: node, value: v})
		return nil
	}
	dropped := false
	kept := p.relations[:0]
	for _, r := range p.relations {
		lo, hi := 0.0, 0.0 // signs of the coefficients
		for _, c := range r.coef {
			lo, hi = min(lo, c), max(hi, c)
		}
		switch {
		case len(r.index) == 0:
			if r.value < -feasibleTol || !r.atMost && r.value > feasibleTol {
				return false, fmt.Errorf("%w: probabilities that are known or forced miss a sum by %.6g", ErrInfeasible, math.Abs(r.value))
			}
			dropped = true
			continue
		case !r.atMost && len(r.index) == 1:
			if err := fix(r.index[0], r.value/r.coef[0]); err != nil {
				return false, err
			}
			dropped = true
			continue
		case lo >= 0 && r.value <= 0, !r.atMost && hi <= 0 && r.value >= 0:
			if math.Abs(r.value) > feasibleTol {
				return false, fmt.Errorf("%w: probabilities would have to be negative", ErrInfeasible)
			}
			for _, node := range r.index {
				if err := fix(node, 0); err != nil {
					return false, err
				}
			}
			dropped = true
			continue
		case r.atMost && hi <= 0 && r.value >= 0: // always true
			dropped = true
			continue
		}
		kept = append(kept, r)
	}
	p.relations = kept
	if len(value) > 0 {
		p.rewrite(func(r *relation, i int) {
			if v, ok := value[r.index[i]]; ok {
				r.value -= r.coef[i] * v
				if math.Abs(r.value) <= equalTol {
					r.value = 0
				}
				r.coef[i] = 0
			}
		})
	}
	return dropped, nil
}

// rewrite changes the terms of all relations and puts them in order again.
func (p *program) rewrite(change func(r *relation, i int)) {
	for k := range p.relations {
		r := &p.relations[k]
		largest := 0.0
		for _, c := range r.coef {
			largest = max(largest, math.Abs(c))
		}
		for i := range r.index {
			change(r, i)
		}
		r.tidy(largest * 1e-14)
	}
}

// tidy sorts the terms, adds up those of the same node, and drops those not above noise.
func (r *relation) tidy(noise float64) {
	if !slices.IsSorted(r.index) {
		sort.Stable((*byNode)(r))
	}
	out := 0
	for i := 0; i < len(r.index); {
		node, c := r.index[i], 0.0
		for ; i < len(r.index) && r.index[i] == node; i++ {
			c += r.coef[i]
		}
		if math.Abs(c) > noise {
			r.index[out], r.coef[out] = node, c
			out++
		}
	}
	r.index, r.coef = r.index[:out], r.coef[:out]
}

// byNode sorts the terms of a relation.
type byNode relation

func (r *byNode) Len() int           { return len(r.index) }
func (r *byNode) Less(i, j int) bool { return r.index[i] < r.index[j] }
func (r *byNode) Swap(i, j int) {
	r.index[i], r.index[j] = r.index[j], r.index[i]
	r.coef[i], r.coef[j] = r.coef[j], r.coef[i]
}

// tie joins nodes that an equality makes multiples of each other.
func (p *program) tie() (bool, error) {
	var u *multiples // nil until needed
	kept := p.relations[:0]
	for _, r := range p.relations {
		if !r.atMost && r.value == 0 && len(r.index) == 2 {
			if u == nil {
				u = newMultiples(p.nodes)
			}
			// coef_0 x_0 + coef_1 x_1 = 0
			if !u.join(r.index[0], r.index[1], -r.coef[1]/r.coef[0]) {
				return false, fmt.Errorf("%w: proportions contradict each other", ErrInfeasible)
			}
			continue
		}
		kept = append(kept, r)
	}
	p.relations = kept
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}

// replaceTied makes one node of each set of multiples.
func (p *program) replaceTied(u *multiples) {
	place := make([]int, p.nodes) // in order, plus one, by root
	var order []*tied
	for node := range p.nodes {
		root, scale := u.find(node)
		if u.size[root] < 2 {
			continue
		}
		if place[root] == 0 {
			order = append(order, &tied{})
			place[root] = len(order)
		}
		t := order[place[root]-1]
		t.old, t.scale = append(t.old, node), append(t.scale, scale)
	}
	where := make([]int, p.nodes)
	scale := make([]float64, p.nodes)
	for i := range where {
		where[i] = -1
	}
	for _, t := range order {
		leaves := 0.0
		for _, old := range t.old {
			leaves += p.leaves[old]
		}
		t.node = p.newNode(leaves)
		for i, old := range t.old {
			where[old], scale[old] = t.node, t.scale[i]
		}
		p.steps = append(p.steps, t)
	}
	p.rewrite(func(r *relation, i int) {
		if old := r.index[i]; old < len(where) && where[old] >= 0 {
			r.index[i] = where[old]
			r.coef[i] *= scale[old]
		}
	})
}

// deduplicate drops relations that say what another says, keeps the tighter of two
// bounds on one sum, and makes an equality of two bounds that meet.
func (p *program) deduplicate() (bool, error) {
	if len(p.relations) < 2 {
		return false, nil
	}
	hash, order := p.scratch.hash[:0], p.scratch.order[:0]
	for k := range p.relations {
		r := &p.relations[k]
		unit := r.coef[0]
		if r.atMost {
			unit = math.Abs(unit)
		}
		for i := range r.coef {
			r.coef[i] /= unit
		}
		r.value /= unit
		hash, order = append(hash, r.hash(1)), append(order, k)
	}
	p.scratch.hash, p.scratch.order = hash, order
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(hash[a], hash[b]), a-b) })
	drop := zeroed(p.scratch.drop, len(p.relations))
	p.scratch.drop = drop
	changed := false
	for at := 1; at < len(order); at++ {
		other, r := &p.relations[order[at-1]], &p.relations[order[at]]
		if !r.like(other, 1) {
			continue
		}
		if r.atMost {
			r.value = min(other.value, r.value)
		} else if math.Abs(other.value-r.value) > feasibleTol {
			return false, fmt.Errorf("%w: a sum would have to be both %.6g and %.6g", ErrInfeasible, other.value, r.value)
		}
		drop[order[at-1]], changed = true, true
	}
	for k := range p.relations {
		r := &p.relations[k]
		if drop[k] || !r.atMost {
			continue
		}
		h := r.hash(-1)
		at, _ := slices.BinarySearchFunc(order, h, func(k int, h uint64) int { return cmp.Compare(hash[k], h) })
		for ; at < len(order) && hash[order[at]] == h; at++ {
			other := &p.relations[order[at]]
			if drop[order[at]] || !r.like(other, -1) {
				continue
			}
			switch gap := r.value + other.value; {
			case gap < -feasibleTol:
				return false, fmt.Errorf("%w: a sum would have to be at least %.6g and at most %.6g", ErrInfeasible, -other.value, r.value)
			case gap <= equalTol:
				drop[order[at]], changed = true, true
				r.atMost = false
			}
		}
	}
	if changed {
		kept := p.relations[:0]
		for k, r := range p.relations {
			if !drop[k] {
				kept = append(kept, r)
			}
		}
		p.relations = kept
	}
	return changed, nil
}

// hash is the same for relations with the same terms, times sign.
func (r *relation) hash(sign float64) uint64 {
	h := uint64(fnvOffset)
	if r.atMost {
		h++
	}
	for i, node := range r.index {
		h = (h ^ uint64(node)) * fnvPrime
		h = (h ^ rounded(sign*r.coef[i])) * fnvPrime
	}
	return h
}

// like reports whether the terms of r, times sign, are those of s.
func (r *relation) like(s *relation, sign float64) bool {
	if r.atMost != s.atMost || !slices.Equal(r.index, s.index) {
		return false
	}
	for i, c := range r.coef {
		if rounded(sign*c) != rounded(s.coef[i]) {
			return false
		}
	}
	return true
}

// Hashes are those of Fowler, Noll and Vo.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// rounded is x to about twelve digits.
func rounded(x float64) uint64 { return (math.Float64bits(x) + 1<<11) >> 12 }

// columns gathers, for each node, the relations it is in, until the next call.
func (p *program) columns() [][]term {
	s := p.scratch
	s.count = zeroed(s.count, p.nodes)
	total := 0
	for _, r := range p.relations {
		for _, node := range r.index {
			s.count[node]++
		}
		total += len(r.index)
	}
	s.flat, s.cols = zeroed(s.flat, total), zeroed(s.cols, p.nodes)
	flat := s.flat
	for node, c := range s.count {
		s.cols[node], flat = flat[:0:c], flat[c:]
	}
	for k, r := range p.relations {
		for i, node := range r.index {
			s.cols[node] = append(s.cols[node], term{k, r.coef[i]})
		}
	}
	return s.cols
}

type term struct {
	relation int
	coef     float64
}

// merge joins nodes whose columns are proportional: no relation tells how their common
// mass is divided, so their counts do.
func (p *program) merge() (bool, error) {
	cols := p.columns()
	hash := p.scratch.hash[:0]
	order := p.scratch.order[:0] // nodes, those with like columns together
	for node, col := range cols {
		if len(col) > 0 {
			order = append(order, node)
		}
		hash = append(hash, columnHash(col))
	}
	p.scratch.hash, p.scratch.order = hash, order
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(hash[a], hash[b]), a-b)
	})
	n := p.nodes
	var where []int
	for from := 0; from < len(order); {
		first := cols[order[from]]
		to := from + 1
		for to < len(order) && likeColumns(first, cols[order[to]]) {
			to++
		}
		like := order[from:to]
		if from = to; len(like) < 2 {
			continue
		}
		s := &split{old: slices.Clone(like), scale: make([]float64, len(like)), leaves: make([]float64, len(like))}
		leaves := 0.0
		for i, node := range like {
			s.scale[i], s.leaves[i] = cols[node][0].coef/first[0].coef, p.leaves[node]
			leaves += p.leaves[node]
		}
		s.node = p.newNode(leaves)
		p.steps = append(p.steps, s)
		if where == nil {
			where = zeroed(p.scratch.where, n)
			p.scratch.where = where
			for i := range where {
				where[i] = -1
			}
		}
		where[s.old[0]] = s.node // its column is the mass's
		for _, old := range s.old[1:] {
			where[old] = -2
		}
	}
	if where == nil {
		return false, nil
	}
	p.rewrite(func(r *relation, i int) {
		if at := r.index[i]; at < n {
			switch where[at] {
			case -1:
			case -2:
				r.coef[i] = 0
			default:
				r.index[i] = where[at]
			}
		}
	})
	return true, nil
}

// columnHash is the same for columns that are positive multiples of each other.
func columnHash(col []term) uint64 {
	h := uint64(fnvOffset)
	for _, t := range col {
		h = (h ^ uint64(t.relation)) * fnvPrime
		h = (h ^ rounded(t.coef/col[0].coef)) * fnvPrime
	}
	if len(col) > 0 && col[0].coef < 0 {
		h = ^h
	}
	return h
}

// likeColumns reports whether b is a positive multiple of a.
func likeColumns(a, b []term) bool {
	if len(a) != len(b) || !(b[0].coef/a[0].coef > 0) {
		return false
	}
	for i := range a {
		if a[i].relation != b[i].relation || rounded(a[i].coef/a[0].coef) != rounded(b[i].coef/b[0].coef) {
			return false
		}
	}
	return true
}

// idle drops inequalities that an equality keeps from ever binding: Σ k x = b leaves
// Σ r x ≤ b·max r/k.
func (p *program) idle() (bool, error) {
	if !slices.ContainsFunc(p.relations, func(r relation) bool { return r.atMost }) {
		return false, nil
	}
	cols := p.columns()
	kept := make([]relation, 0, len(p.relations))
	for _, r := range p.relations {
		if !r.atMost || !p.neverBinds(&r, cols) {
			kept = append(kept, r)
		}
	}
	changed := len(kept) < len(p.relations)
	p.relations = kept
	return changed, nil
}

func (p *program) neverBinds(r *relation, cols [][]term) bool {
	first := slices.IndexFunc(r.coef, func(c float64) bool { return c > 0 })
	if first < 0 {
		return r.value >= 0
	}
	for _, t := range cols[r.index[first]] {
		sum := &p.relations[t.relation]
		if sum.atMost || slices.Min(sum.coef) <= 0 {
			continue
		}
		most, covered := 0.0, true
		for i, at := range r.index {
			if r.coef[i] <= 0 {
				continue
			}
			k, ok := slices.BinarySearch(sum.index, at)
			if covered = covered && ok; ok {
				most = max(most, r.coef[i]/sum.coef[k])
			}
		}
		if covered && most*sum.value <= r.value {
			return true
		}
	}
	return false
}

// alike ties what is left over in equalities that are otherwise the same: of
// M + L = 1 and M + L' = 1 it makes L = L'.
func (p *program) alike() (bool, error) {
	if len(p.relations) < 2 {
		return false, nil
	}
	p.scratch.count = zeroed(p.scratch.count, p.nodes)
	equalities := p.scratch.count
	for _, r := range p.relations {
		if !r.atMost {
			for _, node := range r.index {
				equalities[node]++
			}
		}
	}
	type first struct{ relation, local int }
	var seen map[string]first // nil until needed
	var u *multiples          // nil until needed
	var key []byte
	for k, r := range p.relations {
		if r.atMost || r.value == 0 || len(r.index) < 2 {
			continue
		}
		local := -1
		for i, node := range r.index {
			if equalities[node] == 1 {
				if local >= 0 {
					local = -2
					break
				}
				local = i
			}
		}
		if local < 0 {
			continue
		}
		key = key[:0]
		for i, node := range r.index {
			if i != local {
				key = binary.LittleEndian.AppendUint32(key, uint32(node))
				key = binary.LittleEndian.AppendUint64(key, rounded(r.coef[i]/r.value))
			}
		}
		f, ok := seen[string(key)]
		if !ok {
			if seen == nil {
				seen = make(map[string]first)
			}
			seen[string(key)] = first{k, local}
			continue
		}
		other := p.relations[f.relation]
		// coef/value · x agree
		ratio := (r.coef[local] / r.value) / (other.coef[f.local] / other.value)
		if ratio > 0 {
			if u == nil {
				u = newMultiples(p.nodes)
			}
			u.join(other.index[f.local], r.index[local], ratio)
		}
	}
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}
