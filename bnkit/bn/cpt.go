package bn

import (
	"math"
	"strings"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A CPT is the conditional probability table of a discrete variable: a row for
// each parent configuration, an entry for each state of the child. Entry
// (config, state) is P[config×r+state] for a child with r states.
type CPT struct {
	Child   Variable
	Parents []Variable
	P       []float64
	configs Configs
}

// NewCPT returns the table of child given parents with uniform rows. It returns an error for a
// continuous variable, a name that occurs twice in the family, and a table that is too large.
func NewCPT(child Variable, parents ...Variable) (*CPT, error) {
	names := make(map[string]bool, 1+len(parents))
	for _, v := range append([]Variable{child}, parents...) {
		if err := v.Validate(); err != nil {
			return nil, err
		}
		if names[v.Name] {
			return nil, say.Errorf("bn: %w: %q occurs twice in the family of %q", ErrDuplicate, v.Name, child.Name)
		}
		names[v.Name] = true
	}
	return newCPT(child, parents)
}

// newCPT is NewCPT for variables that are known to be valid.
func newCPT(child Variable, parents []Variable) (*CPT, error) {
	configs, err := family(child, parents)
	if err != nil {
		return nil, err
	}
	r := child.Cardinality()
	n, err := configs.cells(r)
	if err != nil {
		return nil, ofFamily(err, child, parents)
	}
	t := &CPT{Child: child, Parents: append([]Variable(nil), parents...), P: make([]float64, n), configs: configs}
	uniform := 1 / float64(r)
	for i := range t.P {
		t.P[i] = uniform
	}
	return t, nil
}

// family checks that child and parents are discrete and numbers the parents'
// configurations.
func family(child Variable, parents []Variable) (Configs, error) {
	if !child.IsDiscrete() {
		return Configs{}, say.Errorf("bn: no table for %q: %w", child.Name, ErrNotDiscrete)
	}
	cards := make([]int, len(parents))
	for i, p := range parents {
		if !p.IsDiscrete() {
			return Configs{}, say.Errorf("bn: the discrete variable %q cannot have the parent %q: %w; discretise %q "+
				"first", child.Name, p.Name, ErrNotDiscrete, p.Name)
		}
		cards[i] = p.Cardinality()
	}
	c, err := NewConfigs(cards...)
	if err != nil {
		return Configs{}, ofFamily(err, child, parents)
	}
	return c, nil
}

// ofFamily adds to an error about a table the names of its family.
func ofFamily(err error, child Variable, parents []Variable) error {
	names := make([]string, len(parents))
	for i, p := range parents {
		names[i] = p.Name
	}
	return say.Errorf("%w (family of %q, parents %s)", err, child.Name, say.Quoted(names))
}

// Configs returns the index of the parent configurations.
func (t *CPT) Configs() Configs { return t.configs }

// Row returns the distribution in one parent configuration. It aliases the table.
func (t *CPT) Row(config int) []float64 {
	r := t.Child.Cardinality()
	return t.P[config*r : (config+1)*r : (config+1)*r]
}

// Clone returns a deep copy.
func (t *CPT) Clone() *CPT {
	c := *t
	c.P = append([]float64(nil), t.P...)
	return &c
}

// Config returns the index of the given parent configuration. given must name all parents and
// nothing else.
func (t *CPT) Config(given Given) (int, error) {
	config := 0
	for i, p := range t.Parents {
		s, ok := given[p.Name]
		if !ok {
			return 0, say.Errorf("bn: no state is given for the parent %q of %q (given: %v)", p.Name, t.Child.Name,
				given)
		}
		state, err := p.StateIndex(s)
		if err != nil {
			return 0, err
		}
		config += state * t.configs.strides[i]
	}
	if len(given) > len(t.Parents) {
		for _, name := range given.names() {
			if !t.hasParent(name) {
				return 0, say.Errorf("bn: %w %q among the parents of %q", ErrUnknownVariable, name, t.Child.Name)
			}
		}
	}
	return config, nil
}

func (t *CPT) hasParent(name string) bool {
	for _, p := range t.Parents {
		if p.Name == name {
			return true
		}
	}
	return false
}

// ConfigNames returns the state names of a parent configuration, in the order of the parents.
func (t *CPT) ConfigNames(config int) []string {
	names := make([]string, len(t.Parents))
	for i, s := range t.configs.States(nil, config) {
		names[i] = t.Parents[i].States[s]
	}
	return names
}

// describe names a configuration for an error, as in "rain=yes, sprinkler=off".
func (t *CPT) describe(config int) string {
	return describe(t.Parents, t.configs, config)
}

func describe(parents []Variable, configs Configs, config int) string {
	if len(parents) == 0 {
		return "(no parents)"
	}
	parts := make([]string, len(parents))
	for i, s := range configs.States(nil, config) {
		parts[i] = parents[i].Name + "=" + parents[i].States[s]
	}
	return strings.Join(parts, ", ")
}

// Unround makes distributions of rows whose numbers are off by the rounding of printed digits, as
// 0.333 three times: it sets negative ones down to -1e-6 to 0 and divides the row by its sum. The sum may
// deviate by a unit in the last digit of each number, by 1e-6 in any case and by 0.01 at most; rows within
// 1e-6 stay as they are. It returns how many rows it changed, and the largest deviation among them. Rows that
// are further off stay too, for [CPT.Validate] to report.
func (t *CPT) Unround() (rows int, most float64) {
	if t.Child.Cardinality() == 0 || len(t.P)%t.Child.Cardinality() != 0 {
		return 0, 0
	}
	for config := range len(t.P) / t.Child.Cardinality() {
		if off, _ := num.Unround(t.Row(config)); off > 0 {
			rows, most = rows+1, max(most, off)
		}
	}
	return rows, most
}

// Validate returns an error that names the first row with a probability outside
// [0, 1] or a sum further than 1e-6 from 1.
func (t *CPT) Validate() error {
	if !t.configs.number(t.Parents) {
		return say.Errorf("bn: the table of %q has no index of its parent configurations; make it with NewCPT",
			t.Child.Name)
	}
	r := t.Child.Cardinality()
	if r == 0 || len(t.P) != t.configs.Len()*r {
		return say.Errorf("bn: the table of %q has %d entries, %d configurations of %d states need %d", t.Child.Name,
			len(t.P), t.configs.Len(), r, t.configs.Len()*r)
	}
	for config := range t.configs.Len() {
		sum := 0.0
		for state, p := range t.Row(config) {
			if !(p >= 0 && p <= 1) {
				return say.Errorf("bn: P(%s=%s%s) = %v is not a probability", t.Child.Name, t.Child.States[state],
					t.given(" | ", config), p)
			}
			sum += p
		}
		if math.Abs(sum-1) > num.RowTolerance {
			return say.Errorf("bn: the probabilities of %q%s sum to %v, not 1", t.Child.Name,
				t.given(" given ", config), sum)
		}
	}
	return nil
}

// given names a configuration after a word, and is empty without parents.
func (t *CPT) given(word string, config int) string {
	if len(t.Parents) == 0 {
		return ""
	}
	return word + t.describe(config)
}

// Equal reports whether both tables are of the same family and their entries
// are the same numbers.
func (t *CPT) Equal(u *CPT) bool {
	if !t.sameFamily(u.Child, u.Parents) || len(t.P) != len(u.P) {
		return false
	}
	for i, p := range t.P {
		if p != u.P[i] {
			return false
		}
	}
	return true
}

func (t *CPT) sameFamily(child Variable, parents []Variable) bool {
	if !t.Child.Equal(child) || len(t.Parents) != len(parents) {
		return false
	}
	for i, p := range t.Parents {
		if !p.Equal(parents[i]) {
			return false
		}
	}
	return true
}
