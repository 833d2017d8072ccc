package bn

import (
	"maps"
	"slices"
	"strings"
)

// Given maps variables to states: a parent configuration, or evidence.
//
//	bn.Given{"smoke": "yes", "asia": "no"}
type Given map[string]string

// String prints the states in the order of the names, as in "asia=no, smoke=yes".
func (g Given) String() string {
	names := g.names()
	for i, name := range names {
		names[i] = name + "=" + g[name]
	}
	return strings.Join(names, ", ")
}

// names returns the variables in sorted order, so that nothing depends on the
// order of a map.
func (g Given) names() []string { return slices.Sorted(maps.Keys(g)) }
