package constraint

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// flattens notes that rows which differ in a parent that is not named are tied to one: "the same for women and men"
// means most often the same in each state of the others.
func flattens(net *bn.Network, s Constraint) string {
	var share ShareAcross
	switch s := s.(type) {
	case ShareAcross:
		share = s
	case *ShareAcross:
		if s == nil {
			return ""
		}
		share = *s
	default:
		return ""
	}
	t, err := net.Table(share.Var)
	if err != nil || len(share.Given) == 0 {
		return "" // whatever its parents
	}
	var others []string
	for _, p := range t.Parents {
		isNamed := slices.Contains(share.ForEach, p.Name) || slices.ContainsFunc(share.Given, func(g bn.Given) bool {
			_, ok := g[p.Name]
			return ok
		})
		if !isNamed {
			others = append(others, p.Name)
		}
	}
	bounds, err := share.Bind(net)
	if err != nil || len(others) == 0 {
		return ""
	}
	rows := make(map[Row]bool)
	for _, b := range bounds {
		for _, row := range b.Links {
			rows[row] = true
		}
	}
	return fmt.Sprintf("makes %d rows one, also where %s differs; to keep its states apart, set ForEach: %s",
		len(rows), strings.Join(others, ", "), strings.Join(others, ", "))
}
