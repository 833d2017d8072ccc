package centre

// Forced reports the variables that are zero wherever the constraints hold.
func (s *Solver) Forced() []bool { return append([]bool(nil), s.forced...) }

// Unresolved reports the variables that are forced to zero only because rounding hides what the constraints
// leave them: less than about 1e-12 of the numbers that it is the difference of.
func (s *Solver) Unresolved() []bool {
	out := s.Forced()
	for p := range out {
		out[p] = out[p] && s.unresolved[p]
	}
	return out
}
