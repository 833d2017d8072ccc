package bnkit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A Model is a fitted network with everything needed to use it again and to know
// where it came from.
type Model struct {
	*learn.Result
	// Discretization turns new rows into the network's states; nil when none is
	// needed. The verbs apply it by themselves.
	Discretization *data.Discretization
	// DataHash identifies the cases the model was fitted to.
	DataHash string
	// Seed of the random steps, 0 when there were none.
	Seed uint64
}

// Of makes a model of a network that was not fitted but written or read, so that
// the verbs can be used on it.
func Of(net *bn.Network) *Model {
	return &Model{Result: &learn.Result{Net: net, Method: "given"}}
}

// errNoNetwork is returned where a network or a model is nil or empty, most often because an
// error before was not looked at.
var errNoNetwork = errors.New("bnkit: there is no network; make one with NewNetwork, Fit or Load and look at the error that they return")

func checkNetwork(net *bn.Network) error {
	if net == nil || net.Len() == 0 {
		return errNoNetwork
	}
	return nil
}

// network returns the network of a model.
func network(m *Model) (*bn.Network, error) {
	if m == nil || m.Result == nil {
		return nil, errNoNetwork
	}
	return m.Net, checkNetwork(m.Net)
}

// Settings govern Fit. Nil means the defaults.
type Settings struct {
	// SkipMissing leaves a row out of the counts of each table in which it has a
	// missing cell, instead of refusing the frame.
	SkipMissing bool
	// Workers bounds the number of processors; 0 means all. Results do not depend
	// on it.
	Workers int
	// Discretization is applied to the frame first and kept in the model; see
	// [Discretize].
	Discretization *data.Discretization
	// Seed is stored in the model; give the seed of the split or sample the frame
	// came from.
	Seed uint64
}

// NewNetwork returns the network with the structure of a model string, as bnlearn
// writes it, over columns of a frame:
//
//	net, err := bnkit.NewNetwork("[age][grade][recurrence|age:grade]", df, datasets.States("breast-cancer"))
//
// The states of a variable are those in the frame, in natural order, unless states
// gives them in an order of their own. A column of numbers is a continuous variable,
// which no discrete one may have as its parent. Other columns are left aside, and so are
// their lists of states. Errors name the column that is missing, the continuous parent,
// or the row with a state that the list lacks.
func NewNetwork(model string, df dataframe.DataFrame, states map[string][]string) (*bn.Network, error) {
	dag, err := bn.ParseDAG(model)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	if err := checkLists(df, states); err != nil {
		return nil, err
	}
	names := make([]string, dag.Len())
	for v := range names {
		names[v] = dag.Name(v)
	}
	opts := &data.CSVOptions{States: make(map[string][]string)}
	for name, list := range states {
		if name = trimName(name); slices.Contains(names, name) {
			opts.States[name] = list
		}
	}
	t, err := table(df, names, opts)
	if err != nil {
		return nil, err
	}
	net, err := bn.NewNetwork(dag, t.Variables())
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return net, nil
}

// Fit estimates the tables of a network from a frame; what varies is the method, for
// example [learn.ML] or [learn.MAP] with statements of an expert. The network itself
// is not changed, the frame's other columns are left aside. Errors name the column
// that is missing, the row with an unknown state or a missing cell (see
// Settings.SkipMissing), or the statement that does not fit the network.
func Fit(net *bn.Network, df dataframe.DataFrame, m learn.Method, set *Settings) (*Model, error) {
	if err := checkNetwork(net); err != nil {
		return nil, err
	}
	if set == nil {
		set = &Settings{}
	}
	t, err := cases(net, df, set.Discretization, "")
	if err != nil {
		return nil, err
	}
	r, err := learn.Fit(net, t, m, &learn.Settings{SkipMissing: set.SkipMissing, Workers: set.Workers})
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return &Model{Result: r, Discretization: set.Discretization, DataHash: t.Hash(), Seed: set.Seed}, nil
}
