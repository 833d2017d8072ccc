package guarantees

import "bnlab/experiments/run"

// varianceTable is Var[ML] − Var[constrained] beside Theorem 2: of one parameter where
// there is a theory, summed over the parameters where not.
func (r *Results) varianceTable() *run.Table {
	t := run.NewTable("setting", "class", "s", "theory", "simulated", "stderr", "replicates")
	for _, s := range r.Identity {
		mean, stderr := meanError(s.difference)
		t.Append(s.setting, s.class.label(), s.s, s.theory, mean, stderr, s.dataSets)
	}
	for _, s := range r.Classes {
		mean, stderr := meanError(s.difference)
		t.Append(s.setting, s.class.label(), "", "", mean, stderr, s.dataSets)
	}
	return t
}

// classTable is what each class's statement does to the variances and biases.
func (r *Results) classTable() *run.Table {
	t := run.NewTable("class", "parameters", "variance_ml", "variance_removed_percent", "stderr_percent",
		"parameters_lower", "parameters_higher", "largest_bias", "largest_bias_stderrs", "replicates")
	for _, s := range r.Classes {
		ml, _ := meanError(s.ml)
		share, stderr := s.removed()
		lower, higher := s.sides()
		bias, errors := s.bias()
		t.Append(s.class.label(), len(s.parameters), ml, 100*share, 100*stderr, lower, higher, bias, errors, s.dataSets)
	}
	return t
}

// exactTable is what enumeration says of each entry, and of each sum that a statement ties. It is exact.
func (r *Results) exactTable() *run.Table {
	t := run.NewTable("class", "truth", "examples", "entries", "tied", "probability", "bias_percent", "variance_ml",
		"variance", "mean_squared_error")
	list := scenes()
	for _, e := range r.Exact {
		s := list[e.scene]
		t.Append(s.number, s.name(), e.examples, s.entries(e.entries), e.block, e.truth, 100*e.bias/e.truth,
			e.varianceML, e.variance, e.meanSquare)
	}
	return t
}

// closestTable is P* against its rivals.
func (r *Results) closestTable() *run.Table {
	t := run.NewTable("class", "kl_of_best_nats", "kl_of_nearest_rival_nats", "mean_kl_of_rivals_nats", "rivals_closer",
		"largest_violation", "rivals")
	for _, c := range r.Closest {
		t.Append(c.class.label(), c.best, c.nearest, c.mean, c.closer, c.violation, c.rivals)
	}
	return t
}

// convergenceTable is the mean divergence of each course by size.
func (r *Results) convergenceTable() *run.Table {
	t := run.NewTable("examples", "class", "mean_kl_to_true_nats", "kl_of_best_nats", "stderr", "replicates")
	for _, c := range r.Courses {
		mean, stderr := c.mean()
		for i, n := range r.Config.Examples {
			t.Append(n, c.name(), mean[i], c.best, stderr[i], r.Config.Samples)
		}
	}
	return t
}

// name is the class, and whether its statement is right.
func (c *course) name() string {
	switch {
	case c.class.number == 0:
		return c.class.name
	case c.wrong:
		return c.class.label() + ", wrong"
	}
	return c.class.label() + ", right"
}
