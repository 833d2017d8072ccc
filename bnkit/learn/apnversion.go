package learn

// VersionedCases are cases whose expected counts may change during a fit, as when they are
// estimated from samples that are drawn anew. An [APN] compares points of the search on the same
// version only: when it has changed the current point is evaluated again, which costs one more
// Expect, and the search begins anew from there. Cases that wrap others pass it on.
type VersionedCases interface {
	Cases
	// Version is another number after each change.
	Version() uint64
}

// version is that of the cases, 0 when they never change.
func (s *surface) version() uint64 {
	if c, ok := s.cases.(VersionedCases); ok {
		return c.Version()
	}
	return 0
}

// renew evaluates the current point again when the cases have changed since.
func (a *ascent) renew() error {
	if a.now.version == a.version() {
		return nil
	}
	a.search.forget()
	return a.at(a.now)
}
