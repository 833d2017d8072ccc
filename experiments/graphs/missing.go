package graphs

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// What is done about missing cells.
const (
	structuralEM = "structural EM"
	imputed      = "modes imputed"
	dropped      = "rows dropped by family"
	averagedRows = "averages by family"
)

var policies = []string{structuralEM, imputed, dropped, averagedRows}

// Gaps are what is found from cases with missing cells.
type Gaps struct {
	Of   map[string][][]Errors // by policy, share and draw
	Same []bool                // by draw: without missing cells structural EM finds what the climb does
}

// computeMissing takes cells at random from cases of simulated networks, more and more of the same.
func computeMissing(ctx context.Context, job *run.Job, c Config) (*Gaps, error) {
	type draw struct {
		of   map[string][]Errors
		same bool
	}
	draws := make([]draw, c.MissingDraws)
	err := job.Replicates(ctx, "missing cells", c.MissingDraws, func(k int, _ *rand.PCG) error {
		src := job.Source(missingStream, k)
		rng := rand.New(src)
		truth, err := drawNetwork(rng)
		if err != nil {
			return err
		}
		full, err := data.Sample(truth, c.MissingCases, src)
		if err != nil {
			return err
		}
		test, err := data.Sample(truth, c.Test, src)
		if err != nil {
			return err
		}
		chance := make([]float64, truth.Len()*full.Rows())
		for i := range chance {
			chance[i] = rng.Float64()
		}
		d := draw{of: make(map[string][]Errors)}
		climb := structure.HillClimb{Orders: c.Orders}
		for _, share := range c.Shares {
			gappy, err := without(full, chance, share)
			if err != nil {
				return err
			}
			var found [2]*bn.DAG
			for i, p := range policies {
				g, e, err := underGaps(ctx, p, truth, gappy, test, climb)
				if err != nil {
					return say.Errorf("%s, a share of %g missing: %w", p, share, err)
				}
				d.of[p] = append(d.of[p], e)
				if i < 2 {
					found[i] = g
				}
			}
			if share == 0 {
				d.same = found[0].String() == found[1].String()
			}
		}
		draws[k] = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	g := &Gaps{Of: make(map[string][][]Errors)}
	for _, p := range policies {
		g.Of[p] = make([][]Errors, len(c.Shares))
		for i := range c.Shares {
			for _, d := range draws {
				g.Of[p][i] = append(g.Of[p][i], d.of[p][i])
			}
		}
	}
	for _, d := range draws {
		g.Same = append(g.Same, d.same)
	}
	return g, nil
}

// without empties the cells whose chance is below a share.
func without(t *data.Table, chance []float64, share float64) (*data.Table, error) {
	columns := slices.Clone(t.Columns())
	for v := range columns {
		columns[v].States = slices.Clone(columns[v].States)
		for row := range columns[v].States {
			if chance[v*t.Rows()+row] < share {
				columns[v].States[row] = bn.Missing
			}
		}
	}
	return data.New(columns...)
}

// modes fills missing cells with the state that is most frequent in the column, of equals the first.
func modes(t *data.Table) (*data.Table, error) {
	columns := slices.Clone(t.Columns())
	for v := range columns {
		counts := make([]int, columns[v].Var.Cardinality())
		for _, s := range columns[v].States {
			if s != bn.Missing {
				counts[s]++
			}
		}
		mode := bn.State(slices.Index(counts, slices.Max(counts)))
		columns[v].States = slices.Clone(columns[v].States)
		for row, s := range columns[v].States {
			if s == bn.Missing {
				columns[v].States[row] = mode
			}
		}
	}
	return data.New(columns...)
}

// underGaps finds a graph and its tables from cases with missing cells. Tables have a pseudocount of 1: by EM after
// structural EM, from rows that are complete in a family where rows are dropped.
func underGaps(ctx context.Context, policy string, truth *bn.Network, cases, test *data.Table,
	climb structure.HillClimb) (*bn.DAG, Errors, error) {
	var method learn.Method = learn.MAP{Pseudocount: 1}
	fit, set := &learn.Settings{SkipMissing: true}, &structure.Settings{Workers: 1}
	var g *bn.DAG
	var err error
	switch policy {
	case structuralEM:
		method, fit = learn.EM{Pseudocount: 1}, &learn.Settings{Tolerance: 1e-5}
		var r *incomplete.Result
		if r, err = (incomplete.StructuralEM{}).Learn(ctx, cases, structure.BIC{}, climb, set); err == nil {
			g = r.DAG
		}
	case imputed:
		if cases, err = modes(cases); err != nil {
			return nil, Errors{}, err
		}
	case dropped:
		set.Missing = structure.CompleteCases
	case averagedRows:
		set.Missing = structure.NodeAverage
	}
	if err == nil && g == nil {
		var r *structure.Result
		if r, err = structure.Learn(ctx, cases, structure.BIC{}, climb, set); err == nil {
			g = r.DAG
		}
	}
	if err != nil {
		return nil, Errors{}, err
	}
	e, err := errorsOf(truth.DAG(), g)
	if err != nil {
		return nil, e, err
	}
	net, err := networkOf(g, cases)
	if err != nil {
		return nil, e, err
	}
	e.HeldOut, err = heldOut(ctx, net, cases, test, method, fit)
	return g, e, err
}
