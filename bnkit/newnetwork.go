package bnkit

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// NetworkOptions are the options of NewNetwork. Nil means the defaults.
type NetworkOptions struct {
	// States declares the states of columns, lowest first, in place of those that occur in
	// the frame, numbers in their order and texts by their letters. It may also hold those
	// of hidden variables, as data.StatesOf(net.Variables()...) does.
	States map[string][]string
	// Hidden declares the hidden variables with their states, lowest first, for learn.EM or
	// learn.APN. A nil list is taken from States. Nothing but a statement, such as an influence, says which state is
	// which: without one their names may change places.
	Hidden map[string][]string
	// HiddenContinuous names hidden continuous variables, such as the factor behind several measurements,
	// for learn.EM. Their unit is not identifiable, and neither are the signs of all their weights together.
	HiddenContinuous []string
	// Discretization maps numeric columns to states; see [Discretize]. The network keeps it for [Fit] and other verbs.
	Discretization *data.Discretization
}

// NewNetwork returns the network with the structure of a model string, as bnlearn
// writes it, over columns of a frame:
//
//	net, err := bnkit.NewNetwork("[age][grade][recurrence|age:grade]", df, nil)
//
// The states of a variable are those in the frame, so give the whole frame here and the
// training cases to [Fit]: a state that only occurs in held-out cases would otherwise be
// unknown. Numbers stand in their order, texts by their letters; where that is not their order
// declare it in States, without which an influence of three texts or more is refused
// ([constraint.ErrNoOrder]). A column of many numbers is a continuous variable, which no discrete one may have
// as its parent, unless it is discretised. A variable without a column is given its states
// in Hidden, or named in HiddenContinuous. Other columns are left aside, and so are their lists of states. Errors
// name the column that is missing or has no value, the continuous parent, or the row with a state that the list
// lacks.
func NewNetwork(model string, df dataframe.DataFrame, opts *NetworkOptions) (*bn.Network, error) {
	dag, err := bn.ParseDAG(model)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	if opts == nil {
		opts = &NetworkOptions{}
	}
	f := openFrame(df)
	if err := f.checkLists(opts.States, append(slices.Sorted(maps.Keys(opts.Hidden)),
		opts.HiddenContinuous...)...); errors.Is(err, bn.ErrUnknownVariable) {
		return nil, say.Errorf("%w; name a variable without a column in Hidden", err)
	} else if err != nil {
		return nil, err
	}
	hidden, err := opts.hidden(dag)
	if err != nil {
		return nil, err
	}
	var names []string
	for v := range dag.Len() {
		if _, ok := hidden[dag.Name(v)]; !ok {
			names = append(names, dag.Name(v))
		}
	}
	csv := &data.CSVOptions{States: make(map[string][]string)}
	made := discretized(opts.Discretization)
	for name, list := range opts.States {
		switch name = trimName(name); {
		case slices.Contains(made, name):
			return nil, say.Errorf("bnkit: the states of %q are declared and also made by the discretisation; leave "+
				"them out of States", name)
		case slices.Contains(names, name):
			csv.States[name] = list
		}
	}
	t, err := f.undeclared(names, csv)
	if errors.Is(err, bn.ErrUnknownVariable) {
		err = say.Errorf("%w; a variable that no column shows needs its states in NetworkOptions.Hidden, or its "+
			"name in HiddenContinuous", err)
	}
	if err != nil {
		return nil, err
	}
	if err := empty(t, csv.States); err != nil {
		return nil, err
	}
	if t, err = discretize(t, opts.Discretization); err != nil {
		return nil, err
	}
	seen, vars := t.Variables(), make([]bn.Variable, 0, dag.Len())
	for v := range dag.Len() {
		if h, ok := hidden[dag.Name(v)]; ok {
			vars = append(vars, h)
		} else {
			vars, seen = append(vars, seen[0]), seen[1:]
		}
	}
	net, err := bn.NewNetwork(dag, remembering(vars, opts.Discretization))
	if errors.Is(err, bn.ErrNotDiscrete) {
		err = say.Errorf("%w (see Discretize), or name its states in NetworkOptions", err)
	}
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return net, nil
}

// empty refuses a column without a value, which says neither its states nor that it has none.
func empty(t *data.Table, declared map[string][]string) error {
	for _, c := range t.Columns() {
		known := slices.ContainsFunc(c.Values, func(x float64) bool { return !math.IsNaN(x) }) ||
			slices.ContainsFunc(c.States, func(s bn.State) bool { return s != bn.Missing })
		if _, ok := declared[c.Var.Name]; ok || known {
			continue
		}
		return say.Errorf("bnkit: column %q has no value in any row; name its states in NetworkOptions.States, or "+
			"leave it out of the model string", c.Var.Name)
	}
	return nil
}

// hidden are the variables of Hidden and HiddenContinuous by name.
func (o *NetworkOptions) hidden(dag *bn.DAG) (map[string]bn.Variable, error) {
	vars := make(map[string]bn.Variable, len(o.Hidden))
	for _, name := range slices.Sorted(maps.Keys(o.Hidden)) {
		if _, err := dag.Index(name); err != nil {
			return nil, say.Errorf("bnkit: hidden: %w; name it in the model string too", err)
		}
		list, declared := o.Hidden[name], o.States[name]
		if list == nil {
			list = declared
		}
		if declared != nil && !slices.Equal(list, declared) {
			return nil, say.Errorf("bnkit: the states of %q are %q in Hidden and %q in States; leave one of them out",
				name, list, declared)
		}
		v := bn.Discrete(name, list...)
		if _, err := bn.NewCPT(v); err != nil {
			return nil, say.Errorf("bnkit: hidden: %w", err)
		}
		v.Hidden = true
		vars[name] = v
	}
	for _, name := range o.HiddenContinuous {
		_, discrete := o.Hidden[name]
		_, states := o.States[name]
		switch _, err := dag.Index(name); {
		case err != nil:
			return nil, say.Errorf("bnkit: hidden: %w; name it in the model string too", err)
		case discrete || states:
			return nil, say.Errorf("bnkit: %q has states, and is among HiddenContinuous; leave one of them out", name)
		}
		v := bn.Continuous(name)
		v.Hidden = true
		vars[name] = v
	}
	if len(vars) == dag.Len() {
		return nil, errors.New("bnkit: all variables are hidden; at least one needs a column")
	}
	return vars, nil
}
