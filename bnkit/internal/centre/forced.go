package centre

// Forced reports the variables that are zero wherever the constraints hold.
func (s *Solver) Forced() []bool { return append([]bool(nil), s.forced...) }
