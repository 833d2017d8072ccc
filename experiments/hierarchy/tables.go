package hierarchy

import "bnlab/experiments/run"

// Names of data in tables.
const (
	simulatedName = "simulated"
	datasetName   = "abide-nyu"
)

// figure2Table is a panel of B06 Figure 2.
func (r *Results) figure2Table(p *Panel) *run.Table {
	t := run.NewTable("x", "search", "accuracy", "precision", "recall", "stderr_accuracy", "stderr_precision",
		"stderr_recall", "runs")
	for x, at := range p.X {
		for i, name := range r.Searches {
			runs := p.Outcomes[x][i]
			var mean, stderr [3]float64
			for m, f := range []measure{accuracyOf, precisionOf, recallOf} {
				mean[m], stderr[m] = meanError(values(runs, f))
			}
			t.Append(at, name, mean[0], mean[1], mean[2], stderr[0], stderr[1], stderr[2], len(runs))
		}
	}
	return t
}

// moreTable are the panels of the further studies.
func (r *Results) moreTable() *run.Table {
	t := run.NewTable("study", "panel", "x", "search", "accuracy", "precision", "recall", "stderr_accuracy",
		"stderr_precision", "stderr_recall", "runs")
	for _, study := range r.Studies {
		if study.Name == parentWise || study.Name == familyWise {
			continue
		}
		for _, p := range study.Panels {
			for x, at := range p.X {
				for i, name := range r.Searches {
					var mean, stderr [3]float64
					for m, one := range measures {
						mean[m], stderr[m] = meanError(values(p.Outcomes[x][i], one.of))
					}
					t.Append(study.Name, p.Name, at, name, mean[0], mean[1], mean[2], stderr[0], stderr[1], stderr[2],
						len(p.Outcomes[x][i]))
				}
			}
		}
	}
	return t
}

// testTable are the t-tests of each hierarchical search against the flat one at each point of all panels;
// Figure 2 shades those of accuracy.
func (r *Results) testTable() (*run.Table, error) {
	t := run.NewTable("study", "panel", "x", "search", "measure", "difference", "stderr", "p_value", "runs")
	base := r.place(flat)
	for _, study := range r.Studies {
		for _, p := range study.Panels {
			for x, at := range p.X {
				for i, name := range r.Searches {
					if i == base {
						continue
					}
					for _, m := range measures {
						test, err := p.test(x, i, base, m.of)
						if err != nil {
							return nil, err
						}
						t.Append(study.Name, p.Name, at, name, m.name, test.Difference, test.StdErr, test.P,
							len(p.Outcomes[x][i]))
					}
				}
			}
		}
	}
	return t, nil
}

var measures = [...]struct {
	name string
	of   measure
}{{"accuracy", accuracyOf}, {"precision", precisionOf}, {"recall", recallOf}}

// parentsTable is how many parents a child has in the learned networks of a panel.
func (r *Results) parentsTable() *run.Table {
	t := run.NewTable("study", "panel", "x", "search", "parents_per_child", "stderr", "runs")
	for _, study := range r.Studies {
		for _, p := range study.Panels {
			for x, at := range p.X {
				for i, name := range r.Searches {
					mean, stderr := meanError(values(p.Outcomes[x][i], parentsOf))
					t.Append(study.Name, p.Name, at, name, mean, stderr, len(p.Outcomes[x][i]))
				}
			}
		}
	}
	return t
}

// sensitivityTable varies arity and length.
func (r *Results) sensitivityTable() *run.Table {
	t := run.NewTable("arity", "length", "search", "parents_per_child", "accuracy", "precision", "recall", "runs")
	for _, c := range r.Sensitivity {
		for i, name := range r.Searches {
			mean := func(f measure) float64 { m, _ := meanError(values(c.Outcomes[i], f)); return m }
			t.Append(c.Arity, c.Length, name, mean(parentsOf), mean(accuracyOf), mean(precisionOf), mean(recallOf),
				len(c.Outcomes[i]))
		}
	}
	return t
}

// absent stands where there are no data.
const absent = "n/a"

// familiesTable is B06 Figure 3 on the real data.
func (r *Results) familiesTable() *run.Table {
	t := run.NewTable("dataset", "score", "mean_parents", "search", "families_won")
	if r.Brain == nil {
		for _, name := range r.Searches {
			t.Append(datasetName, absent, absent, name, absent)
		}
		return t
	}
	for _, score := range []string{"bde", "acl", symmetric} {
		for _, s := range r.Brain.of(score) {
			won, _ := s.wins(len(r.Searches))
			for k, name := range r.Searches {
				t.Append(datasetName, score, s.meanParents(), name, won[k])
			}
		}
	}
	return t
}

// brainTable says more of the same: strength is the equivalent sample size of bde and the penalty of acl;
// tied are families with several best searches; accuracy is on the persons held out.
func (r *Results) brainTable() *run.Table {
	t := run.NewTable("dataset", "score", "strength", "search", "parents_per_child", "families_won", "families_tied",
		"families", "total_score", "families_scored", "accuracy", "test_series")
	if r.Brain == nil {
		for _, name := range r.Searches {
			t.Append(datasetName, absent, absent, name, absent, absent, absent, absent, absent, absent, absent, absent)
		}
		return t
	}
	tests := r.Brain.classes.test[0].series() + r.Brain.classes.test[1].series()
	for _, s := range r.Brain.settings {
		won, tied := s.wins(len(r.Searches))
		for k, name := range r.Searches {
			t.Append(datasetName, s.Score, s.Value, name, s.parents(k), won[k], tied, 2*len(s.Found[0][k].scores),
				s.total(k), s.scored(k), s.Right[k], tests)
		}
	}
	return t
}

// timeTable is how long each search takes, on one goroutine, counting included. Seconds differ from run to run.
func (r *Results) timeTable() *run.Table {
	t := run.NewTable("dataset", "score", "search", "variables", "rows", "families_scored", "seconds", "networks")
	t.Measure("seconds")
	for _, one := range r.Times {
		seconds, _ := meanError(one.Seconds)
		t.Append(one.Dataset, one.Score, r.Searches[one.Search], one.Variables, one.Rows, one.Scored, seconds,
			len(one.Seconds))
	}
	return t
}

// knownTable is the accuracy when the tables of both models are known, and when their links are and the
// tables are learned.
func (r *Results) knownTable() *run.Table {
	t := run.NewTable("study", "c", "known", "accuracy", "stderr", "runs")
	for _, study := range r.Studies {
		for x, runs := range study.Known {
			for k, what := range []string{"tables", "links"} {
				mean, stderr := meanError(ofKnown(runs, k))
				t.Append(study.Name, r.Config.Changes[x], what, mean, stderr, len(runs))
			}
		}
	}
	return t
}

// ofKnown is one of the two accuracies, by run.
func ofKnown(runs []known, k int) []float64 {
	v := make([]float64, len(runs))
	for i, both := range runs {
		v[i] = both[k]
	}
	return v
}
