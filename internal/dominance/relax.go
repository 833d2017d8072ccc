package dominance

import "fmt"

// Relax returns what the objective gains when some of the inequalities are left out, for a problem whose arcs are all
// hard; when that is more than enough, a part of it that is more, which is faster. left, by arc and then by
// m = 1, …, K−1, tells which are left out. From is the maximum that Solve found for n. Enough is positive. Errors and
// panics are those of Solve.
func (s *Solver) Relax(n, from []float64, left []bool, enough float64) (gain float64, err error) {
	if len(n) != s.rows*s.states || len(from) != len(n) || len(left) != len(s.net.price) {
		panic(fmt.Sprintf("dominance: %d and %d entries and %d inequalities for %d rows of %d states and %d arcs",
			len(n), len(from), len(left), s.rows, s.states, len(s.arcs)))
	}
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	if !w.weigh(n, left) {
		return 0, nil
	}
	if w.newton.width == 0 { // the whole problem is isotonic regression
		w.newton = newCholesky(w.nodes)
	}
	if !w.startAt(from) {
		return 0, fmt.Errorf("dominance: %w: the start gives no probability to some weight", ErrNotConverged)
	}
	w.enough = enough / w.scale
	if r := w.ascend(); !(r.Gap <= precise*w.total || w.gained > w.enough) {
		return 0, fmt.Errorf("dominance: %w after %d steps: the gap is %.3g of the weight", ErrNotConverged,
			r.Iterations, r.Gap/w.total)
	}
	return max(w.gained, 0) * w.scale, nil
}
