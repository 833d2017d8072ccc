package scale

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
)

// growths are the tasks, each with all that is not its size held fixed.
var growths = []growth{
	{"rows", "rows", "count the families of a tree of 30 variables", 1, "each row is looked at once a family",
		func(ctx context.Context, size int, rng *rand.Rand) (func() error, error) {
			net, err := tree(30, 3, rng)
			if err != nil {
				return nil, err
			}
			cases, err := data.Sample(net, size, rng)
			families := familiesOf(net)
			return func() error {
				_, err := cases.CountFamilies(ctx, families, &data.CountOptions{Workers: 1})
				return err
			}, err
		}},
	{"variables", "variables", "a climb with BIC over 200 rows of a tree", 2,
		"each pair is scored once, and each of about as many moves as variables renews the scores of two",
		func(ctx context.Context, size int, rng *rand.Rand) (func() error, error) {
			net, err := tree(size, 2, rng)
			if err != nil {
				return nil, err
			}
			cases, err := data.Sample(net, 200, rng)
			return func() error {
				_, err := structure.Learn(ctx, cases, structure.BIC{}, structure.HillClimb{Orders: 1},
					&structure.Settings{Workers: 1})
				return err
			}, err
		}},
	{"states", "states", "all posteriors of a chain of 30 variables", 2,
		"a message takes a product with a table of r × r",
		func(ctx context.Context, size int, rng *rand.Rand) (func() error, error) {
			net, err := chain(30, size, rng)
			if err != nil {
				return nil, err
			}
			engine, err := infer.New(net, nil)
			return func() error {
				_, err := engine.Marginals(infer.Evidence{"x29": "s0"})
				return err
			}, err
		}},
	{"hidden", "hidden variables", "plan and expected counts of 300 rows, hidden variables in a chain", 1,
		"a message a hidden variable and distinct row",
		func(_ context.Context, size int, rng *rand.Rand) (func() error, error) { return hiddenChain(size, rng) }},
	{"joint", "joint states of the hidden variables",
		"plan and expected counts of 100 rows, hidden variables that share their children", 1,
		"no order of elimination avoids the table of all hidden variables",
		func(_ context.Context, size int, rng *rand.Rand) (func() error, error) {
			return hiddenTogether(size, rng)
		}},
	{"statements", "statements", "maximum likelihood on 500 rows under influences, each on a family of its own", 1,
		"families are estimated one by one",
		influencesApart},
}

// random fills the tables of a network.
func random(model string, states int, rng *rand.Rand) (*bn.Network, error) {
	dag, err := bn.ParseDAG(model)
	if err != nil {
		return nil, err
	}
	names := make([]string, states)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	vars := make([]bn.Variable, dag.Len())
	for v := range vars {
		vars[v] = bn.Discrete(dag.Name(v), names...)
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		return nil, err
	}
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for state := range row {
				row[state] = rng.ExpFloat64()
				sum += row[state]
			}
			for state := range row {
				row[state] /= sum
			}
		}
	}
	return net, net.Validate()
}

// tree has a parent for each variable but the first, drawn from those before.
func tree(variables, states int, rng *rand.Rand) (*bn.Network, error) {
	var model strings.Builder
	model.WriteString("[x0]")
	for v := 1; v < variables; v++ {
		fmt.Fprintf(&model, "[x%d|x%d]", v, rng.IntN(v))
	}
	return random(model.String(), states, rng)
}

func chain(variables, states int, rng *rand.Rand) (*bn.Network, error) {
	var model strings.Builder
	model.WriteString("[x0]")
	for v := 1; v < variables; v++ {
		fmt.Fprintf(&model, "[x%d|x%d]", v, v-1)
	}
	return random(model.String(), states, rng)
}

// expecting plans and makes the expected counts of rows without the columns whose names begin with h.
func expecting(model string, rows int, rng *rand.Rand) (func() error, error) {
	net, err := random(model, 2, rng)
	if err != nil {
		return nil, err
	}
	all, err := data.Sample(net, rows, rng)
	if err != nil {
		return nil, err
	}
	var seen []string
	var theta []float64
	for v := range net.Len() {
		if name := net.Variable(v).Name; !strings.HasPrefix(name, "h") {
			seen = append(seen, name)
		}
		theta = append(theta, net.CPT(v).P...)
	}
	cases, err := all.Keep(seen...)
	return func() error {
		plan, err := infer.NewPlan(net, cases, &infer.Options{Workers: 1})
		if err != nil {
			return err
		}
		_, err = plan.Expect(make([]float64, len(theta)), theta)
		return err
	}, err
}

// hiddenChain has three children for each hidden variable.
func hiddenChain(hidden int, rng *rand.Rand) (func() error, error) {
	var model strings.Builder
	for h := range hidden {
		parent := ""
		if h > 0 {
			parent = fmt.Sprintf("|h%d", h-1)
		}
		fmt.Fprintf(&model, "[h%d%s]", h, parent)
		for c := range 3 {
			fmt.Fprintf(&model, "[x%d.%d|h%d]", h, c, h)
		}
	}
	return expecting(model.String(), 300, rng)
}

// hiddenTogether has three children of all hidden variables, of two states each.
func hiddenTogether(joint int, rng *rand.Rand) (func() error, error) {
	var model strings.Builder
	var names []string
	for joint > 1 {
		names = append(names, fmt.Sprint("h", len(names)))
		fmt.Fprintf(&model, "[%s]", names[len(names)-1])
		joint /= 2
	}
	for c := range 3 {
		fmt.Fprintf(&model, "[x%d|%s]", c, strings.Join(names, ":"))
	}
	return expecting(model.String(), 100, rng)
}

// influencesApart has pairs of variables of three states, a statement on each.
func influencesApart(ctx context.Context, statements int, rng *rand.Rand) (func() error, error) {
	var model strings.Builder
	list := make([]constraint.Constraint, statements)
	for s := range statements {
		fmt.Fprintf(&model, "[a%d][b%d|a%d]", s, s, s)
		list[s] = constraint.Influence{Parent: fmt.Sprint("a", s), Child: fmt.Sprint("b", s), Sign: constraint.Positive}
	}
	net, err := random(model.String(), 3, rng)
	if err != nil {
		return nil, err
	}
	cases, err := data.Sample(net, 500, rng)
	return func() error {
		_, err := learn.Fit(ctx, net, cases, learn.ML{Constraints: list}, &learn.Settings{Workers: 1})
		return err
	}, err
}
