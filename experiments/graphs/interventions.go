package graphs

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/experiments/run"
)

// sachs is the network of signals in a cell that Sachs and others (2005, Science 308) take for established, as in
// bnlearn's repository.
const sachs = "[PKC][Plcg][PKA|PKC][PIP3|Plcg][Raf|PKA:PKC][Jnk|PKA:PKC][P38|PKA:PKC][PIP2|Plcg:PIP3]" +
	"[Mek|PKA:PKC:Raf][Erk|Mek:PKA][Akt|Erk:PKA]"

// regimes are what was set in the experiments of 2005, each in as many cases; nothing in the first.
var regimes = []string{"", "Akt", "PKC", "PIP2", "Mek", "PKA"}

// Set are the errors of graphs from observed cases and from as many of which most have a variable set, by draw.
type Set struct {
	Observed, Intervened []Errors
}

// computeInterventions draws linear-Gaussian networks of the shape of sachs, weights from .3 to .8.
func computeInterventions(ctx context.Context, job *run.Job, c Config) (*Set, error) {
	s := &Set{make([]Errors, c.Interventions), make([]Errors, c.Interventions)}
	err := job.Replicates(ctx, "interventions", c.Interventions, func(draw int, _ *rand.PCG) error {
		src := job.Source(interventionStream, draw)
		rng := rand.New(src)
		var vars []bn.Variable
		for name := range strings.FieldsSeq("PKC Plcg PKA PIP3 Raf Jnk P38 PIP2 Mek Erk Akt") {
			vars = append(vars, bn.Continuous(name))
		}
		net, err := bn.New(sachs, vars...)
		if err != nil {
			return err
		}
		for v := range net.Len() {
			for p := range net.Gaussian(v).Weights[0] {
				net.Gaussian(v).Weights[0][p] = 0.3 + 0.5*rng.Float64()
			}
		}
		if s.Observed[draw], err = fromRegimes(ctx, net, regimes[:1], c, src); err != nil {
			return err
		}
		s.Intervened[draw], err = fromRegimes(ctx, net, regimes, c, src)
		return err
	})
	return s, err
}

// fromRegimes learns from cases of several regimes, and counts errors against the truth itself: a joined pair whose
// arc is open in the class that cases under these interventions can tell is wrong too.
func fromRegimes(ctx context.Context, net *bn.Network, list []string, c Config, src *rand.PCG) (Errors, error) {
	columns, cells := make([]data.Column, net.Len()), []string(nil)
	for v := range columns {
		columns[v].Var = net.Variable(v)
	}
	rows := c.InterventionCases / len(list)
	for i, target := range list {
		under := net
		if target != "" {
			var err error
			if under, err = net.Do(bn.Set(target, []string{"-1.5", "1.5"}[i%2])); err != nil {
				return Errors{}, err
			}
		}
		part, err := data.Sample(under, rows, src)
		if err != nil {
			return Errors{}, err
		}
		for v, col := range part.Columns() {
			columns[v].Values = append(columns[v].Values, col.Values...)
		}
		cells = append(cells, slices.Repeat([]string{target}, rows)...)
	}
	table, err := data.New(columns...)
	if err != nil {
		return Errors{}, err
	}
	if table, err = table.WithInterventions("set", cells); err != nil {
		return Errors{}, err
	}
	r, err := structure.Learn(ctx, table, structure.BIC{}, structure.HillClimb{Orders: c.Orders},
		&structure.Settings{Workers: 1})
	if err != nil {
		return Errors{}, err
	}
	var targets [][]string
	for _, regime := range table.Regimes() {
		targets = append(targets, regime.Set)
	}
	class, err := r.DAG.InterventionalCPDAG(targets...)
	if err != nil {
		return Errors{}, err
	}
	return openErrors(net.DAG(), r.DAG, class)
}

// openErrors compares a class with the true graph.
func openErrors(truth, found *bn.DAG, class *bn.CPDAG) (Errors, error) {
	var e Errors
	for v := range truth.Len() {
		for u := range v {
			a, err := found.Index(truth.Name(u))
			if err != nil {
				return e, err
			}
			b, err := found.Index(truth.Name(v))
			if err != nil {
				return e, err
			}
			there, back := slices.Contains(truth.Parents(v), u), slices.Contains(truth.Parents(u), v)
			joined := class.IsDirected(a, b) || class.IsDirected(b, a) || class.IsUndirected(a, b)
			switch {
			case joined != (there || back):
				e.Skeleton++
			case joined && (class.IsDirected(a, b) != there || class.IsDirected(b, a) != back):
				e.Arrowheads++
			}
		}
	}
	return e, nil
}
