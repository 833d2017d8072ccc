package scale

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
)

// Names of the tasks.
const (
	opening     = "open"
	counting    = "count"
	climbing    = "climb"
	sampling    = "climb-sample"
	constrained = "ml"
	hidden      = "em"
)

// A task is something to learn from cases.
type task struct {
	name, title string
	run         func(ctx context.Context, cases data.Source) (answer, error)
}

// An answer is what a task found, to be compared between engines.
type answer struct {
	numbers []float64
	text    string
	moves   int // of a climb
}

// tasks are those that follow the opening of a file.
func (c Config) tasks(net *bn.Network, statements []constraint.Constraint, workers int) ([]task, error) {
	classes, err := c.classes(net)
	if err != nil {
		return nil, err
	}
	families := familiesOf(net)
	list := []task{
		{counting, "count all families", func(ctx context.Context, cases data.Source) (answer, error) {
			counts, err := cases.CountFamilies(ctx, families, &data.CountOptions{Workers: workers})
			var a answer
			for _, f := range counts {
				a.numbers = append(a.numbers, f.N...)
			}
			return a, err
		}},
		{climbing, "hill climbing with BIC, one climb", func(ctx context.Context, cases data.Source) (answer, error) {
			r, err := structure.Learn(ctx, cases, structure.BIC{}, structure.HillClimb{Orders: 1},
				&structure.Settings{Workers: workers})
			if err != nil {
				return answer{}, err
			}
			return answer{numbers: []float64{r.Score}, text: r.DAG.String(), moves: r.Moves}, nil
		}},
		{constrained, "maximum likelihood under influences", func(ctx context.Context, cases data.Source) (answer,
			error) {
			fit, err := learn.Fit(ctx, net, cases, learn.ML{Constraints: statements},
				&learn.Settings{Workers: workers})
			if err != nil {
				return answer{}, err
			}
			var a answer
			for v := range fit.Net.Len() {
				a.numbers = append(a.numbers, fit.Net.CPT(v).P...)
			}
			return a, nil
		}},
		{hidden, "EM with a hidden class", func(ctx context.Context, cases data.Source) (answer, error) {
			if t, ok := cases.(*data.Table); ok { // a fit refuses columns that the network does not have
				var err error
				if cases, err = t.Keep(classes.Names()[1:]...); err != nil {
					return answer{}, err
				}
			}
			fit, err := learn.Fit(ctx, classes, cases, learn.EM{}, &learn.Settings{
				Workers: workers, Starts: 1, Seed: 1, MaxIterations: c.Iterations,
			})
			if err != nil {
				return answer{}, err
			}
			return answer{numbers: []float64{fit.LogLikelihood}}, nil
		}},
	}
	if c.Sample > 0 {
		list = append(list, c.sampling(workers))
	}
	return list, nil
}

// sampling is the climb whose way a sample decides. Engines draw other rows, so that they may find other graphs, each
// a local optimum on all rows: their scores are compared.
func (c Config) sampling(workers int) task {
	return task{sampling, "hill climbing with BIC, in a sample first", func(ctx context.Context,
		cases data.Source) (answer, error) {
		r, err := structure.Learn(ctx, cases, structure.BIC{}, structure.HillClimb{Orders: 1, Sample: c.Sample},
			&structure.Settings{Workers: workers})
		if err != nil {
			return answer{}, err
		}
		return answer{numbers: []float64{r.Score}, moves: r.Moves}, nil
	}}
}

// familiesOf are those of the network.
func familiesOf(net *bn.Network) []data.Family {
	families := make([]data.Family, net.Len())
	for v := range families {
		families[v].Child = net.Variable(v).Name
		for _, p := range net.DAG().Parents(v) {
			families[v].Parents = append(families[v].Parents, net.Variable(p).Name)
		}
	}
	return families
}

// influences are those between a variable and one parent that the network satisfies, so that
// an expert may state them: they change an estimate only where cases are few.
func influences(net *bn.Network) ([]constraint.Constraint, error) {
	var list []constraint.Constraint
	for _, f := range familiesOf(net) {
		for _, parent := range f.Parents {
			for _, sign := range []constraint.Sign{constraint.Positive, constraint.Negative} {
				s := constraint.Influence{Parent: parent, Child: f.Child, Sign: sign}
				broken, err := s.Violation(net)
				if err != nil {
					return nil, err
				}
				if broken == 0 {
					list = append(list, s)
					break
				}
			}
		}
	}
	return list, nil
}

// className is the hidden variable.
const className = "Class"

// classes is a model of the first columns as children of a variable that nobody sees, which
// needs all their joint states.
func (c Config) classes(net *bn.Network) (*bn.Network, error) {
	if c.Observed < 1 || c.Observed > net.Len() || c.Classes < 2 {
		return nil, fmt.Errorf("scale: a hidden variable of %d states with %d of %d columns makes no sense", c.Classes,
			c.Observed, net.Len())
	}
	states := make([]string, c.Classes)
	for i := range states {
		states[i] = fmt.Sprint(i + 1)
	}
	vars := []bn.Variable{bn.Discrete(className, states...)}
	names, parents := []string{className}, [][]int{nil}
	for v := range c.Observed {
		vars = append(vars, net.Variable(v))
		names, parents = append(names, net.Variable(v).Name), append(parents, []int{0})
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	return bn.NewNetwork(dag, vars)
}
