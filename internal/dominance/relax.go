package dominance

import "fmt"

// Relax writes to x the maximum without some of the inequalities, for a problem whose arcs are all hard. left, by arc
// and then by m = 1, …, K−1, tells which are left out. From is a point that satisfies all inequalities, such as what
// Solve found for n: it gives probability to all weight. Tails that no weight holds stay where they are, or anywhere in
// their orders. Accuracy, errors and panics are those of Solve.
func (s *Solver) Relax(x, n, from []float64, left []bool) error {
	if len(x) != s.rows*s.states || len(n) != len(x) || len(from) != len(x) || len(left) != len(s.net.price) {
		panic(fmt.Sprintf("dominance: %d, %d and %d entries and %d inequalities for %d rows of %d states and %d arcs",
			len(x), len(n), len(from), len(left), s.rows, s.states, len(s.arcs)))
	}
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	if !w.weigh(n, left) {
		copy(x, from)
		return nil
	}
	if w.newton.width == 0 { // the whole problem is isotonic regression
		w.newton = newCholesky(w.nodes)
	}
	if !w.startAt(from) {
		return fmt.Errorf("dominance: %w: the start gives no probability to some weight", ErrNotConverged)
	}
	if r := w.ascend(); !(r.Gap <= enough*w.total) {
		return fmt.Errorf("dominance: %w after %d steps: the gap is %.3g of the weight", ErrNotConverged, r.Iterations,
			r.Gap/w.total)
	}
	w.write(x, n)
	return nil
}
