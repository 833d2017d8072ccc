package bnkit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
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

	pseudocounts []float64 // read from a file; nil for none
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
	// came from. Random starts come from it.
	Seed uint64

	// The rest is for methods that iterate, such as [learn.EM] and [learn.APN].

	// Starts is how often to start; the best end is kept. 0 means 1, or 5 when a variable
	// has no column. Starts after the first, and all of them when a variable has no
	// column, are random.
	Starts int
	// Flat makes random starts nearly uniform; see [learn.Settings].
	Flat bool
	// MaxIterations bounds the iterations from each start; 0 means 1000.
	MaxIterations int
	// Tolerance is the change of the objective, relative to its size, at which iteration
	// stops; 0 means 1e-8.
	Tolerance float64
	// HeldOut, when not nil, are cases to stop by: when their log-likelihood has not risen
	// for Patience iterations (0 means 10), the network that was best for them is the fit.
	HeldOut  *dataframe.DataFrame
	Patience int
	// Progress, when not nil, is called after each iteration; nb.FitProgress shows it.
	Progress func(learn.Progress)
	// Context, when not nil, ends a fit early, as Ctrl-C does: the best network so far
	// comes back, and prints that it was interrupted.
	Context context.Context
}

// NetworkOptions govern NewNetwork. Nil means the defaults.
type NetworkOptions struct {
	// States gives columns their states, lowest first, in place of those that occur in
	// the frame in natural order.
	States map[string][]string
	// Hidden are variables that no column shows, with their states, lowest first: what
	// learn.EM or learn.APN is to find out.
	Hidden map[string][]string
	// Discretization makes states of columns of numbers; see [Discretize]. Give it to
	// [Fit] too.
	Discretization *data.Discretization
}

// NewNetwork returns the network with the structure of a model string, as bnlearn
// writes it, over columns of a frame:
//
//	net, err := bnkit.NewNetwork("[age][grade][recurrence|age:grade]", df, nil)
//
// The states of a variable are those in the frame, so give the whole frame here and the
// training cases to [Fit]: a state that only occurs in held-out cases would otherwise be
// unknown. A column of numbers is a continuous variable, which no discrete one may have
// as its parent, unless it is discretised. A variable without a column is given its states
// in Hidden. Other columns are left aside, and so are their lists of states. Errors name the column that is missing, the continuous parent, or the
// row with a state that the list lacks.
func NewNetwork(model string, df dataframe.DataFrame, opts *NetworkOptions) (*bn.Network, error) {
	dag, err := bn.ParseDAG(model)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	if opts == nil {
		opts = &NetworkOptions{}
	}
	if err := checkLists(df, opts.States); err != nil {
		return nil, err
	}
	hidden, err := opts.hidden(dag, df)
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
			return nil, fmt.Errorf("bnkit: the states of %q are declared and also made by the discretisation; leave them out of States", name)
		case slices.Contains(names, name):
			csv.States[name] = list
		}
	}
	t, err := undeclared(df, names, csv)
	if errors.Is(err, bn.ErrUnknownVariable) {
		err = fmt.Errorf("%w; a variable that no column shows needs its states in NetworkOptions.Hidden", err)
	}
	if err != nil {
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
	net, err := bn.NewNetwork(dag, vars)
	if errors.Is(err, bn.ErrNotDiscrete) {
		err = fmt.Errorf("%w (see Discretize), or name its states in NetworkOptions", err)
	}
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return net, nil
}

// hidden are the variables of Hidden by name.
func (o *NetworkOptions) hidden(dag *bn.DAG, df dataframe.DataFrame) (map[string]bn.Variable, error) {
	vars := make(map[string]bn.Variable, len(o.Hidden))
	there := places(df)
	for _, name := range slices.Sorted(maps.Keys(o.Hidden)) {
		if _, err := dag.Index(name); err != nil {
			return nil, fmt.Errorf("bnkit: hidden: %w; name it in the model string too", err)
		}
		if len(there[name]) > 0 {
			return nil, fmt.Errorf("bnkit: %q is hidden and also a column of the frame; drop the column (df.Drop), or leave it out of Hidden", name)
		}
		v := bn.Discrete(name, o.Hidden[name]...)
		if _, err := bn.NewCPT(v); err != nil {
			return nil, fmt.Errorf("bnkit: hidden: %w", err)
		}
		vars[name] = v
	}
	if len(vars) == dag.Len() {
		return nil, errors.New("bnkit: all variables are hidden; at least one needs a column")
	}
	return vars, nil
}

// Fit estimates the tables of a network, and the regressions of its continuous variables,
// from a frame; what varies is the method, for example [learn.ML] or [learn.MAP] with
// statements of an expert. The network itself is not changed, the frame's other columns
// are left aside. With methods that iterate, such as [learn.EM] and [learn.APN], cells may be
// missing, and whole columns (see NetworkOptions.Hidden). Ctrl-C, or interrupting the cell, then ends the fit with the best network so
// far. Otherwise errors name the column that is missing, the row with an unknown state or
// a missing cell (see Settings.SkipMissing), or the statement that does not fit the
// network.
func Fit(net *bn.Network, df dataframe.DataFrame, m learn.Method, set *Settings) (*Model, error) {
	if err := checkNetwork(net); err != nil {
		return nil, err
	}
	if set == nil {
		set = &Settings{}
	}
	t, err := set.cases(net, df, m)
	if err != nil {
		return nil, err
	}
	ls := &learn.Settings{
		SkipMissing: set.SkipMissing, Workers: set.Workers,
		Starts: set.Starts, Src: rand.NewPCG(set.Seed, 0), Flat: set.Flat, MaxIterations: set.MaxIterations, Tolerance: set.Tolerance,
		Patience: set.Patience, Progress: set.Progress,
	}
	if set.HeldOut != nil {
		if ls.HeldOut, err = set.heldOut(net, m); err != nil {
			return nil, fmt.Errorf("bnkit: held-out cases: %w", err)
		}
	}
	if learn.Iterates(m) {
		ctx := set.Context
		if ctx == nil {
			ctx = context.Background()
		}
		var stop context.CancelFunc
		ls.Context, stop = signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
	}
	r, err := learn.Fit(net, t, m, ls)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return &Model{Result: r, Discretization: set.Discretization, DataHash: t.Hash(), Seed: set.Seed}, nil
}

// cases turns a frame into cases for the method; one that iterates can do without columns.
func (s *Settings) cases(net *bn.Network, df dataframe.DataFrame, m learn.Method) (*data.Table, error) {
	var hidden []string
	if learn.Iterates(m) {
		there := places(df)
		for _, v := range net.Variables() {
			if len(there[v.Name]) == 0 {
				hidden = append(hidden, v.Name)
			}
		}
	}
	return cases(net, df, s.Discretization, hidden...)
}

// heldOut plans the cases to stop by.
func (s *Settings) heldOut(net *bn.Network, m learn.Method) (learn.Cases, error) {
	t, err := s.cases(net, *s.HeldOut, m)
	if err != nil {
		return nil, err
	}
	return infer.NewPlan(net, t, &infer.Options{Workers: s.Workers})
}
