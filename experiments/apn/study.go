package apn

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A study is a network on which learners are compared, with statements that hold in it.
type study struct {
	name       string
	structure  *bn.Network
	hidden     []string
	statements []constraint.Constraint
	rising     bool // the statements are influences
	truth      func(rng *rand.Rand) (*bn.Network, error)
}

// studies are the networks of the comparison; cars is nil where it cannot be had.
func studies(cars *bn.Network) ([]study, error) {
	first, err := ThreeOneThree()
	if err != nil {
		return nil, err
	}
	load, err := bn.New("[Difficulty][Pressure][Load|Difficulty:Pressure][Errors|Load][Time|Load][Pulse|Load]",
		bn.Discrete("Difficulty", "low", "medium", "high"), bn.Discrete("Pressure", "no", "yes"),
		bn.Discrete("Load", "low", "medium", "high"),
		bn.Discrete("Errors", "none", "few", "many"), bn.Discrete("Time", "short", "medium", "long"),
		bn.Discrete("Pulse", "slow", "normal", "fast"))
	if err != nil {
		return nil, err
	}
	// The third input matters to nobody: rows of H that differ in it only are equal.
	alike := []constraint.Constraint{constraint.ShareAcross{Var: "H", ForEach: []string{"I1", "I2"}}}
	var rising []constraint.Constraint
	for _, arc := range [][2]string{{"Difficulty", "Load"}, {"Pressure", "Load"}, {"Load", "Errors"}, {"Load", "Time"},
		{"Load", "Pulse"}} {
		rising = append(rising, constraint.Influence{Parent: arc[0], Child: arc[1], Sign: constraint.Positive})
	}
	all := []study{
		{name: "3-1-3", structure: first, hidden: []string{"H"}, statements: alike, truth: within(first, alike)},
		{name: "load, 5 influences", structure: load, hidden: []string{"Load"}, statements: rising, rising: true,
			truth: within(load, rising)},
	}
	if cars != nil {
		all = append(all, study{
			name: "insurance", structure: cars, hidden: insuranceHidden[:],
			statements: impossible(cars, insuranceHidden[:]),
			truth:      func(*rand.Rand) (*bn.Network, error) { return cars, nil },
		})
	}
	return all, nil
}

// within draws random tables and moves them to satisfy statements: as counts, of which the
// maximum under the statements is taken.
func within(net *bn.Network, statements []constraint.Constraint) func(rng *rand.Rand) (*bn.Network, error) {
	return func(rng *rand.Rand) (*bn.Network, error) {
		net := net.Clone()
		drawTables(net, rng)
		problem, err := constraint.Compile(net, statements...)
		if err != nil {
			return nil, err
		}
		theta := make([]float64, problem.Layout().Len())
		if err := problem.Maximize(theta, entries(net)); err != nil {
			return nil, err
		}
		return net, setEntries(net, theta)
	}
}

// entries are those of all tables, by the network's layout.
func entries(net *bn.Network) []float64 {
	theta := make([]float64, 0, net.Layout().Len())
	for v := range net.Len() {
		theta = append(theta, net.CPT(v).P...)
	}
	return theta
}

// setEntries is the reverse of entries.
func setEntries(net *bn.Network, theta []float64) error {
	for v := range net.Len() {
		lo, hi := net.Layout().Family(v)
		copy(net.CPT(v).P, theta[lo:hi])
	}
	return net.Validate()
}

// impossible states what cannot happen in a network: the zeros of the tables of some
// variables.
func impossible(net *bn.Network, vars []string) []constraint.Constraint {
	var statements []constraint.Constraint
	for v := range net.Len() {
		t := net.CPT(v)
		if !slices.Contains(vars, t.Child.Name) {
			continue
		}
		for config := range t.Configs().Len() {
			zeros := make(map[string]float64)
			for state, p := range t.Row(config) {
				if p == 0 {
					zeros[t.Child.States[state]] = 0
				}
			}
			if len(zeros) == 0 {
				continue
			}
			given := make(bn.Given)
			for i, state := range t.ConfigNames(config) {
				given[t.Parents[i].Name] = state
			}
			statements = append(statements, constraint.Fixed{Var: t.Child.Name, Given: given, P: zeros})
		}
	}
	return statements
}

// observed are the names of the variables that are not hidden.
func (s study) observed() []string {
	var names []string
	for _, v := range s.structure.Variables() {
		if !slices.Contains(s.hidden, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// String names the study and its size.
func (s study) String() string {
	return fmt.Sprintf("%s (%d free parameters, %d statements)", s.name, s.structure.FreeParameters(),
		len(s.statements))
}
