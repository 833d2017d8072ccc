package timecourse

import (
	"bnlab/experiments/run"
)

// each calls f with every run.
func (r *Results) each(f func(s *study, b *subject, start int, method string, o *outcome)) {
	for _, s := range r.Studies {
		for set, b := range s.subjects {
			for start := range b.starts {
				for m, name := range r.Methods {
					f(s, b, start+1, name, s.outcomes[m][set][start])
				}
			}
		}
	}
}

// timecourseTable is every iteration of the set that is shown.
func (r *Results) timecourseTable() *run.Table {
	t := run.NewTable("structure", "cpt_set", "start", "method", "iteration", "nll_train", "nll_test", "violation")
	r.each(func(s *study, b *subject, start int, method string, o *outcome) {
		if b.set != r.Config.Shown {
			return
		}
		for _, p := range o.course {
			t.Append(s.name, b.set, start, method, p.iteration, p.train, p.test, p.violation)
		}
	})
	return t
}

// finalTable is where every run ends.
func (r *Results) finalTable() *run.Table {
	t := run.NewTable("structure", "cpt_set", "start", "method", "nll_train", "nll_test", "nll_true_test", "violation",
		"quadratic_loss", "quadratic_loss_from_causes")
	r.each(func(s *study, b *subject, start int, method string, o *outcome) {
		t.Append(s.name, b.set, start, method, o.train, o.test, b.base.test, o.violation, o.quadratic, o.fromCauses)
	})
	return t
}

// baselineTable is how well the truths fit.
func (r *Results) baselineTable() *run.Table {
	t := run.NewTable("structure", "cpt_set", "nll_true_train", "nll_true_test", "quadratic_loss_true",
		"quadratic_loss_from_causes_true")
	for _, s := range r.Studies {
		for _, b := range s.subjects {
			t.Append(s.name, b.set, b.base.train, b.base.test, b.base.quadratic, b.base.fromCauses)
		}
	}
	return t
}

// summaryTable is each method over all sets. Excesses are over the truth.
func (r *Results) summaryTable() *run.Table {
	t := run.NewTable("structure", "method", "excess_test_nats", "excess_test_p05", "excess_test_p50",
		"excess_test_p95",
		"excess_train_nats", "excess_quadratic_loss", "excess_quadratic_loss_from_causes", "violation",
		"violation_p05", "violation_p50", "violation_p95",
		"iterations", "replicates")
	for _, s := range r.Studies {
		for m, name := range r.Methods {
			band := func(f measure) run.Band { return run.NewBand(s.bySet(m, f)) }
			test, broken := band(excessTest), band(violation)
			steps := band(func(_ *subject, o *outcome) float64 { return float64(o.steps) })
			t.Append(s.name, name, test.Mean, test.P05, test.P50, test.P95, band(excessTrain).Mean,
				band(excessQuadratic).Mean, band(excessCauses).Mean,
				broken.Mean, broken.P05, broken.P50, broken.P95, steps.Mean, test.Replicates)
		}
	}
	return t
}

// courseTable is the way of each method over all sets.
func (r *Results) courseTable() *run.Table {
	t := run.NewTable("structure", "method", "iteration", "excess_test_nats", "excess_test_p05", "excess_test_p50",
		"excess_test_p95",
		"excess_train_nats", "violation", "violation_p05", "violation_p50", "violation_p95", "replicates")
	for _, s := range r.Studies {
		for m, name := range r.Methods {
			test, train, broken := s.curve(m, r.Config.Iterations, testPoint),
				s.curve(m, r.Config.Iterations, trainPoint), s.curve(m, r.Config.Iterations, violationPoint)
			for i, iteration := range test.iterations {
				a, v := test.bands[i], broken.bands[i]
				t.Append(s.name, name, iteration, a.Mean, a.P05, a.P50, a.P95, train.bands[i].Mean, v.Mean, v.P05,
					v.P50, v.P95, a.Replicates)
			}
		}
	}
	return t
}

// alignTable is the violation of plain EM before and after its hidden states are named as
// the statements like best.
func (r *Results) alignTable() *run.Table {
	t := run.NewTable("structure", "cpt_set", "start", "violation", "violation_aligned")
	for _, s := range r.Studies {
		for set, b := range s.subjects {
			for start, o := range s.outcomes[r.place(plainEM)][set] {
				t.Append(s.name, b.set, start+1, o.violation, s.aligned[set][start])
			}
		}
	}
	return t
}

// sweepTable is what step, weight and the share of constrained variables do; stderr is
// that of the mean excess over the truth, nll_test itself differing by truth.
func (r *Results) sweepTable() *run.Table {
	t := run.NewTable("structure", "method", "step", "weight", "constrained_share", "nll_test", "excess_test_nats",
		"violation", "stderr", "replicates")
	for _, s := range r.Studies {
		for i, set := range sweepSettings(len(s.children())) {
			test, excess, broken := s.swept(i)
			mean, stderr := meanError(excess)
			level, _ := meanError(test)
			violation, _ := meanError(broken)
			t.Append(s.name, set.method, blank(set.step), blank(set.weight), set.share, level, mean, violation, stderr,
				len(excess))
		}
	}
	return t
}

// swept is a setting of the sweep by set.
func (s *study) swept(setting int) (test, excess, broken []float64) {
	for set, outcomes := range s.sweep {
		o := outcomes[setting]
		test, excess, broken = append(test, o.test), append(excess, o.test-s.subjects[set].base.test),
			append(broken, o.violation)
	}
	return test, excess, broken
}

// blank leaves a place empty where a method has no such thing.
func blank(x float64) any {
	if x == 0 {
		return ""
	}
	return x
}
