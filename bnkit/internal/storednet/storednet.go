// Package storednet is a network as the files of models hold it.
package storednet

import (
	"errors"
	"slices"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
)

// A Variable is a variable with its parents, in the order of the table, and its
// distribution.
type Variable struct {
	Name     string              `json:"name"`
	States   []string            `json:"states,omitempty"`
	Sorted   bool                `json:"order_not_declared,omitempty"`
	Hidden   bool                `json:"hidden,omitempty"`
	Encoding *knowledge.Variable `json:"encoding,omitempty"` // how a column of data becomes the states
	Parents  []string            `json:"parents"`
	Table    []float64           `json:"table,omitempty"` // by parent configuration, last parent fastest, then state
	Gaussian *Gaussian           `json:"linear_gaussian,omitempty"`
}

// A Gaussian is a linear-Gaussian distribution.
type Gaussian struct {
	Intercept []float64   `json:"intercept"`
	Weights   [][]float64 `json:"weights"`
	Variance  []float64   `json:"variance"`
}

// Variables returns the variables of a network as a file holds them. It returns an error for a name that is not UTF-8,
// and an encoding that files cannot hold.
func Variables(net *bn.Network) ([]Variable, error) {
	var list []Variable
	for v := range net.Len() {
		for _, name := range append([]string{net.Variable(v).Name}, net.Variable(v).States...) {
			if !utf8.ValidString(name) {
				return nil, say.Errorf("the name %q, of or in variable %d, is %w", name, v+1, data.ErrEncoding)
			}
		}
		s := variable(net, v)
		var err error
		if s.Encoding, err = encoding(net.Variable(v)); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// encoding is an encoding as files hold it: that of a knowledge file.
func encoding(v bn.Variable) (*knowledge.Variable, error) {
	switch e := v.Encoding.(type) {
	case nil:
		return nil, nil
	case knowledge.Variable:
		return &e, nil
	case *knowledge.Variable:
		return e, nil
	}
	return nil, say.Errorf("the encoding of %q is of type %T, and files hold those of knowledge files only", v.Name,
		v.Encoding)
}

// checkEncoding returns an error for an encoding that is not of the variable.
func checkEncoding(e *knowledge.Variable, v bn.Variable) error {
	if err := e.Validate(); err != nil {
		return say.Errorf("the encoding of %q: %w", v.Name, err)
	}
	if made := e.Variable(); made.Encoding == nil || !made.Equal(v) {
		return say.Errorf("the encoding of %q makes %s, and the variable is %s", v.Name, made, v)
	}
	return nil
}

func variable(net *bn.Network, v int) Variable {
	of := net.Variable(v)
	s := Variable{Name: of.Name, States: of.States, Sorted: of.Sorted, Hidden: of.Hidden, Parents: []string{}}
	for _, p := range net.DAG().Parents(v) {
		s.Parents = append(s.Parents, net.Variable(p).Name)
	}
	if t := net.CPT(v); t != nil {
		s.Table = t.P
	} else {
		g := net.Gaussian(v)
		s.Gaussian = &Gaussian{g.Intercept, g.Weights, g.Variance}
	}
	return s
}

// Network rebuilds a network and checks it: errors say what is wrong with the file.
func Network(list []Variable) (*bn.Network, error) {
	if len(list) == 0 {
		return nil, errors.New("the network has no variables")
	}
	names := make([]string, len(list))
	vars := make([]bn.Variable, len(list))
	index := make(map[string]int, len(list))
	for v, sv := range list {
		names[v], index[sv.Name] = sv.Name, v
		vars[v] = bn.Variable{Name: sv.Name, States: sv.States, Sorted: sv.Sorted, Hidden: sv.Hidden}
		if sv.Encoding != nil {
			if err := checkEncoding(sv.Encoding, vars[v]); err != nil {
				return nil, err
			}
			vars[v].Encoding = *sv.Encoding
		}
	}
	parents := make([][]int, len(list))
	for v, sv := range list {
		for _, p := range sv.Parents {
			i, ok := index[p]
			if !ok {
				return nil, say.Errorf("%w %q, a parent of %q", bn.ErrUnknownVariable, p, sv.Name)
			}
			parents[v] = append(parents[v], i)
		}
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	for v, sv := range list { // before memory is taken for tables that the file does not hold
		if err := sv.checkLength(dag.Parents(v), vars); err != nil {
			return nil, err
		}
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		return nil, err
	}
	for v, sv := range list {
		if t := net.CPT(v); t != nil {
			copy(t.P, sv.Table)
			t.Unround()
			continue
		}
		g := net.Gaussian(v)
		g.Intercept, g.Weights, g.Variance = sv.Gaussian.Intercept, sv.Gaussian.Weights, sv.Gaussian.Variance
	}
	return net, net.Validate()
}

// checkLength returns an error when the file does not hold as many numbers as the distribution of
// the variable needs.
func (sv Variable) checkLength(parents []int, vars []bn.Variable) error {
	var cards []int
	for _, p := range parents {
		if vars[p].IsDiscrete() {
			cards = append(cards, vars[p].Cardinality())
		}
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return say.Errorf("%w (family of %q)", err, sv.Name)
	}
	need := configs.Len() // times a number of states it is within an int, see bn.MaxConfigs
	switch g := sv.Gaussian; {
	case sv.States != nil && g == nil:
		if need *= len(sv.States); len(sv.Table) != need {
			return say.Errorf("the table of %q has %d entries, it needs %d", sv.Name, len(sv.Table), need)
		}
	case sv.States == nil && g != nil && sv.Table == nil:
		each := len(parents) - len(cards)
		if len(g.Intercept) != need || len(g.Variance) != need || len(g.Weights) != need ||
			slices.ContainsFunc(g.Weights, func(w []float64) bool { return len(w) != each }) {
			return say.Errorf("the linear-Gaussian distribution of %q needs %d intercepts, variances and rows of %d "+
				"weights",
				sv.Name, need, each)
		}
	default:
		return say.Errorf("%q needs a table when it has states, linear-Gaussian parameters otherwise", sv.Name)
	}
	return nil
}
