package incomplete

import (
	"context"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// observed is the best state without hidden variables.
func (r *run) observed(ctx context.Context) (*state, error) {
	vars := r.table.Variables()
	start := r.startOf(vars)
	if r.table.IsComplete() {
		found, err := structure.Learn(ctx, r.table, r.scoreOf(vars), r.how, r.settings(vars, start))
		switch {
		case err != nil && ctx.Err() == nil:
			return nil, err
		case found != nil:
			start = found.DAG
		default: // interrupted before the first graph
			if start, err = r.legal(vars, start); err != nil {
				return nil, err
			}
		}
		return r.begin(ctx, vars, start)
	}
	var starts []*bn.DAG
	names := []string{"complete cases"}
	set := r.settings(vars, start)
	set.Missing = structure.NodeAverage
	if first, err := structure.Learn(ctx, r.table, r.scoreOf(vars), r.how, set); err == nil {
		starts = append(starts, first.DAG)
	} else {
		names = nil
	}
	begin, err := r.legal(vars, start)
	if err != nil {
		return nil, err
	}
	starts, names = append(starts, begin), append(names, "the rules")
	for len(starts) < r.Starts {
		part, err := r.part(vars, starts[0])
		if err != nil {
			return nil, err
		}
		starts, names = append(starts, part), append(names, "a random part")
	}
	starts, names = starts[:r.Starts], names[:r.Starts]
	var best *state
	var ends []string
	for i, g := range starts {
		st, err := r.begin(ctx, vars, g)
		if err == nil {
			st, err = r.climb(ctx, st)
		}
		if err != nil {
			return nil, err
		}
		ends = append(ends, fmt.Sprintf("%.4f from %s", st.objective, names[i]))
		if best == nil || st.objective > best.objective+tolerance(best.objective) {
			best = st
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(ends) > 1 {
		r.note("starts ended at %s", strings.Join(ends, ", "))
	}
	return best, nil
}

// begin fits the tables of a start graph; what the cases observe makes the first of them.
func (r *run) begin(ctx context.Context, vars []bn.Variable, g *bn.DAG) (*state, error) {
	return r.fit(ctx, vars, g, nil, 1, firstIterations)
}

// startOf returns the start graph of the rules over these variables; nil for none.
func (r *run) startOf(vars []bn.Variable) *bn.DAG {
	if r.set.Rules == nil || r.set.Rules.Start == nil {
		return nil
	}
	from := r.set.Rules.Start
	names, at := make([]string, len(vars)), make(map[int]int) // by variable of from
	for v, variable := range vars {
		names[v] = variable.Name
		if u, err := from.Index(variable.Name); err == nil {
			at[u] = v
		}
	}
	parents := make([][]int, len(vars))
	for u, v := range at {
		for _, p := range from.Parents(u) {
			if w, ok := at[p]; ok {
				parents[v] = append(parents[v], w)
			}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil // what is left of a graph without cycles has none
	}
	return g
}

// legal returns the graph that a search with this start begins at.
func (r *run) legal(vars []bn.Variable, start *bn.DAG) (*bn.DAG, error) {
	limits, err := r.rules(vars, start).Bind(vars)
	if err != nil {
		return nil, err
	}
	return graphOf(vars, limits.Start)
}

// graphOf makes a graph.
func graphOf(vars []bn.Variable, parents [][]int) (*bn.DAG, error) {
	names := make([]string, len(vars))
	for v, variable := range vars {
		names[v] = variable.Name
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	return g, nil
}

// part returns the graph with each arc that is not required left out with probability ½.
func (r *run) part(vars []bn.Variable, g *bn.DAG) (*bn.DAG, error) {
	limits, err := r.rules(vars, nil).Bind(vars)
	if err != nil {
		return nil, err
	}
	parents := make([][]int, len(vars))
	for v := range vars {
		for _, p := range g.Parents(v) {
			if limits.IsRequired(p, v) || r.rng.IntN(2) == 0 {
				parents[v] = append(parents[v], p)
			}
		}
	}
	return graphOf(vars, parents)
}
