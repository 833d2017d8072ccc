package datasets

import (
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/internal/say"
)

// Seen returns states without those that no row of df has, in the same order,
// and without the columns that df does not have. A column's own states stay
// in the map it came from. It returns an error if df carries one, or has a
// state that is not in the list.
//
// Leaving out a state is a choice about the model: a state that is possible
// and has not been seen has a probability too.
func Seen(df dataframe.DataFrame, states map[string][]string) (map[string][]string, error) {
	if err := df.Error(); err != nil {
		return nil, say.Errorf("datasets: %w", err)
	}
	seen := map[string][]string{}
	for _, name := range df.Names() {
		declared, ok := states[name]
		if !ok {
			continue
		}
		occurs := map[string]bool{}
		for row, state := range df.Col(name).Records() {
			if state == missing || occurs[state] {
				continue
			}
			if !slices.Contains(declared, state) {
				return nil, say.Errorf("datasets: row %d, column %s: %q is none of %q", row+1, name, state, declared)
			}
			occurs[state] = true
		}
		kept := []string{}
		for _, state := range declared {
			if occurs[state] {
				kept = append(kept, state)
			}
		}
		seen[name] = kept
	}
	return seen, nil
}
