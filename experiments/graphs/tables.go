package graphs

import (
	"slices"

	"bnlab/experiments/run"
)

// errorColumns follow those that say where; bands are the 5th and 95th percentile over draws.
var errorColumns = []string{"learner", "skeleton_errors", "skeleton_p05", "skeleton_p95", "arrowhead_errors",
	"arrowhead_p05", "arrowhead_p95", "log_score_nats", "log_score_p05", "log_score_p95", "draws"}

// summary are the cells of [errorColumns] but for the first.
func summary(list []Errors) []any {
	var row []any
	for _, measure := range []string{skeleton, arrowheads, held} {
		b := bandOf(list, measure)
		row = append(row, b.Mean, b.P05, b.P95)
	}
	return append(row, len(list))
}

func bandOf(list []Errors, measure string) run.Band {
	values := make([]float64, len(list))
	for i, e := range list {
		values[i] = e.of(measure)
	}
	return run.NewBand(values)
}

func (r *Results) errorTable() *run.Table {
	t := run.NewTable(append([]string{"network", "examples"}, errorColumns...)...)
	for _, w := range r.networks() {
		if w.Missing != nil {
			row := []any{w.Network}
			for range len(errorColumns) {
				row = append(row, "n/a")
			}
			t.Append(append(row, 0)...)
			continue
		}
		for i, n := range r.Config.Sizes {
			for _, l := range learners(w.Network) {
				if w.Of[l] == nil {
					continue
				}
				t.Append(append([]any{w.Network, n, l}, summary(w.Of[l][i])...)...)
			}
		}
	}
	return t
}

// networks are all.
func (r *Results) networks() []*Worth { return append(slices.Clone(r.Worth), r.Causes) }

// worthTable is how many cases true knowledge is worth; reached says whether none comes down to as small an error
// within the sizes.
func (r *Results) worthTable() *run.Table {
	t := run.NewTable("network", "examples", "learner", "measure", "value", "none", "equivalent_cases",
		"equivalent_p05", "equivalent_p95", "reached")
	for _, w := range r.networks() {
		if w.Missing != nil {
			t.Append(w.Network, "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", false)
			continue
		}
		for i, n := range r.Config.Sizes {
			for _, l := range knowing {
				for _, m := range []string{skeleton, arrowheads, held} {
					if w.Of[l] != nil {
						p := w.price(r.Config.Sizes, l, m, i)
						t.Append(w.Network, n, l, m, w.at(l, m, i), w.at(none, m, i), p.Cases, p.Low, p.High, p.Reached)
					}
				}
			}
		}
	}
	return t
}

func (r *Results) missingTable() *run.Table {
	t := run.NewTable(append([]string{"share_missing"}, errorColumns...)...)
	for i, share := range r.Config.Shares {
		for _, p := range policies {
			t.Append(append([]any{share, p}, summary(r.Gaps.Of[p][i])...)...)
		}
	}
	return t
}

// knownTable are the errors of structural EM under what is known.
func (r *Results) knownTable() *run.Table {
	t := run.NewTable(append([]string{"share_missing"}, errorColumns...)...)
	for i, share := range r.Config.KnownShares {
		for _, l := range knowers {
			t.Append(append([]any{share, l}, summary(r.Known.Gaps[l][i])...)...)
		}
	}
	return t
}

// namedTable is what is found of a hidden cause that has a name.
func (r *Results) namedTable() *run.Table {
	t := run.NewTable(append(append([]string{"examples"}, errorColumns...), "share_in_place", "low", "high")...)
	for i, n := range r.Config.NamedSizes {
		for _, l := range namers {
			var list []Errors
			for _, e := range r.Known.Named[l][i] {
				list = append(list, e.Errors)
			}
			share, low, high := wilson(found(r.Known.Named[l][i]))
			t.Append(append(append([]any{n, l}, summary(list)...), share, low, high)...)
		}
	}
	return t
}

func (r *Results) hiddenTable() *run.Table {
	t := run.NewTable("examples", "share_proposed", "share_with_the_three_effects", "low", "high", "draws")
	for i, n := range r.Config.HiddenSizes {
		proposed := 0.0
		for _, c := range r.Hidden[i] {
			if c.Proposed {
				proposed++
			}
		}
		draws := len(r.Hidden[i])
		share, low, high := wilson(exact(r.Hidden[i]))
		t.Append(n, proposed/float64(draws), share, low, high, draws)
	}
	return t
}

func (r *Results) arcTable() *run.Table {
	t := run.NewTable("method", "said_from", "said_to", "arcs", "mean_said", "share_there", "standard_error")
	add := func(method string, list []Opinion) {
		for _, b := range binned(list) {
			if b.N > 0 {
				t.Append(method, b.Low, b.High, b.N, b.Mean, b.Share, b.stderr())
			}
		}
	}
	add(posteriorName, r.Posterior)
	add(bootstrapName, r.Bootstrap)
	return t
}

func (r *Results) interventionTable() *run.Table {
	t := run.NewTable("cases", "skeleton_errors", "skeleton_p05", "skeleton_p95", "arrowhead_errors",
		"arrowhead_p05", "arrowhead_p95", "draws")
	add := func(name string, list []Errors) {
		s, a := bandOf(list, skeleton), bandOf(list, arrowheads)
		t.Append(name, s.Mean, s.P05, s.P95, a.Mean, a.P05, a.P95, len(list))
	}
	add("observed", r.Observed)
	add("with variables set", r.Intervened)
	return t
}
