package structure

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// conditionalLogLikelihood is the log-likelihood of one variable, the class, given all others in the
// cases of src,
//
//	Σ_rows weight · ln P(class | the others),
//
// for a graph whose tables are (N + pseudocount) / (N_config + pseudocount·r). The class may be
// hidden in some rows, which then do not count; other missing cells are an error.
//
// It is for comparing graphs: it is not a sum over families, so no search here can raise it (Friedman,
// Geiger and Goldszmidt 1997, §3). Only the families in the class's Markov blanket matter. It needs
// different rows of the source, not counts only. It returns an error for an unknown class, a graph of
// other variables than the source, a pseudocount that is not positive, and what the source
// returns. (CCL of B06 §2.)
func conditionalLogLikelihood(ctx context.Context, src data.Source, g *bn.DAG, class string,
	pseudocount float64) (float64, error) {
	if !(pseudocount > 0) || math.IsInf(pseudocount, 1) {
		return 0, say.Errorf("structure: the pseudocount is %v; give a positive number, so that no probability is 0",
			pseudocount)
	}
	s, err := NewScorer(src, LogLikelihood{}, &ScorerOptions{Missing: CompleteCases})
	if err != nil {
		return 0, err
	}
	target, ok := indexOf(s.vars)[class]
	if !ok {
		return 0, say.Errorf("structure: the class: %w %q (there are: %s)", bn.ErrUnknownVariable, class,
			quoted(s.vars, all(len(s.vars))))
	}
	parents, err := bindDAG(s.vars, g)
	if err != nil {
		return 0, err
	}
	// The tables that hold the class, and the columns that they need.
	var tables []*logTable
	needed := []int{target}
	for v, ps := range parents {
		if v != target && !slices.Contains(ps, target) {
			continue
		}
		c, err := s.Counts(ctx, v, ps)
		if err != nil {
			return 0, err
		}
		tables = append(tables, newLogTable(c, append(slices.Clone(ps), v), pseudocount))
		needed = append(append(needed, ps...), v)
	}
	slices.Sort(needed)
	needed = slices.Compact(needed)
	rows, err := src.DistinctRows(ctx, names(s.vars, needed)...)
	if err != nil {
		return 0, say.Errorf("structure: %w", err)
	}
	return sumConditional(rows, s.vars, tables, needed, target)
}

// A logTable is the logarithms of a family's table.
type logTable struct {
	members []int
	cards   []int
	log     []float64
}

func newLogTable(c *Counts, members []int, pseudocount float64) *logTable {
	t := &logTable{members: members, log: make([]float64, len(c.N))}
	for _, p := range c.Parents {
		t.cards = append(t.cards, p.Cardinality())
	}
	t.cards = append(t.cards, c.R)
	for row := 0; row < len(c.N); row += c.R {
		total := math.Log(num.Sum(c.N[row:row+c.R]) + pseudocount*float64(c.R))
		for i := row; i < row+c.R; i++ {
			t.log[i] = math.Log(c.N[i]+pseudocount) - total
		}
	}
	return t
}

// at is the logarithm in the given states, by variable.
func (t *logTable) at(states []bn.State) float64 {
	i := 0
	for k, v := range t.members {
		i = i*t.cards[k] + int(states[v])
	}
	return t.log[i]
}

// sumConditional sums over different rows the log probability of the class given the others.
func sumConditional(rows *data.Table, vars []bn.Variable, tables []*logTable, needed []int, target int) (float64,
	error) {
	states := make([]bn.State, len(vars))
	log := make([]float64, vars[target].Cardinality())
	columns, weights := rows.Columns(), rows.Weights()
	total := 0.0
row:
	for row := range rows.Rows() {
		for i, v := range needed {
			states[v] = columns[i].States[row]
			if states[v] != bn.Missing {
				continue
			}
			if v == target {
				continue row
			}
			return 0, say.Errorf("structure: column %q: %w beside the class; leave such rows out", vars[v].Name,
				data.ErrMissing)
		}
		own := states[target]
		highest := math.Inf(-1)
		for class := range log {
			states[target] = bn.State(class)
			log[class] = 0
			for _, t := range tables {
				log[class] += t.at(states)
			}
			highest = max(highest, log[class])
		}
		norm := 0.0
		for _, l := range log {
			norm += math.Exp(l - highest)
		}
		weight := 1.0
		if weights != nil {
			weight = weights[row]
		}
		total += weight * (log[own] - highest - math.Log(norm))
	}
	return total, nil
}
