package scale

import "bnlab/experiments/run"

// notHere stands in a table where a number cannot be had.
const notHere = "n/a"

// orNot is a number, or n/a where it is negative.
func orNot(x float64) any {
	if x < 0 {
		return notHere
	}
	return x
}

// scaleTable is the measurements.
func (r *Results) scaleTable() *run.Table {
	t := run.NewTable("rows", "engine", "task", "seconds", "peak_mb", "statements", "rows_fetched")
	t.Measure("seconds", "peak_mb")
	for _, one := range r.list {
		if one.absent != "" {
			t.Append(one.rows, one.engine, one.task, notHere, notHere, notHere, notHere)
			continue
		}
		t.Append(one.rows, one.engine, one.task, one.seconds, orNot(one.peak), one.cost.Statements, one.cost.Rows)
	}
	return t
}

// costTable is what else was measured.
func (r *Results) costTable() *run.Table {
	t := run.NewTable("rows", "engine", "task", "processor_seconds", "moves")
	t.Measure("processor_seconds")
	for _, one := range r.list {
		if one.absent == "" {
			t.Append(one.rows, one.engine, one.task, orNot(one.processor), one.answer.moves)
		}
	}
	return t
}

// missingTable says why engines are missing, or a task of theirs.
func (r *Results) missingTable() *run.Table {
	t := run.NewTable("rows", "engine", "reason")
	for _, one := range r.list {
		switch {
		case one.absent == "":
		case one.task == opening:
			t.Append(one.rows, one.engine, one.absent)
		case one.task == climbing && r.Config.beyond(one.rows):
			t.Append(one.rows, one.engine, climbing+": "+one.absent)
		}
	}
	return t
}

// filesTable is what was drawn.
func (r *Results) filesTable() *run.Table {
	t := run.NewTable("rows", "network", "columns", "file_bytes", "bytes_per_row")
	for _, f := range r.Files {
		t.Append(f.Rows, r.Network, r.Columns, f.Bytes, float64(f.Bytes)/float64(f.Rows))
	}
	return t
}

// parityTable is how far engines agree.
func (r *Results) parityTable() *run.Table {
	t := run.NewTable("rows", "task", "engine", "other", "numbers", "same_graph", "largest_relative_difference")
	for _, p := range r.pairs() {
		t.Append(p.a.rows, p.a.task, p.a.engine, p.b.engine, len(p.a.answer.numbers), p.same, p.most)
	}
	return t
}

// slopeTable is how cost grows with rows.
func (r *Results) slopeTable() *run.Table {
	t := run.NewTable("engine", "task", "measure", "slope", "slope_of_the_last_two", "sizes")
	t.Measure("slope", "slope_of_the_last_two")
	for _, s := range r.slopes() {
		t.Append(s.engine, s.task, s.measure, s.all, s.last, s.points)
	}
	return t
}

// clusterTable is what more rows would take.
func (r *Results) clusterTable() *run.Table {
	t := run.NewTable("rows", "task", "engine", "measured_rows", "bytes_per_row", "file_tb", "statements",
		"rows_fetched", "processor_hours", "cores", "hours")
	t.Measure("processor_hours", "hours")
	for _, p := range r.cluster() {
		t.Append(int64(clusterRows), p.task, p.engine, p.from, p.bytesPerRow, p.terabytes, p.statements, p.rowsFetched,
			p.processorHours, p.cores, p.hours)
	}
	return t
}
