package scale

import (
	"fmt"
	"strings"

	"bnlab/experiments/run"
)

// What the claims allow. Claims and predictions were written down before the first run.
const (
	statesAlike   = 1e-9 // tables of the same counts, by solvers that iterate
	hiddenAlike   = 1e-6 // EM adds its rows up in the order in which they come
	linearAtMost  = 1.2  // exponent of "no faster than the rows": what is fixed lowers it, caches raise it
	flatAtMost    = 0.5  // exponent of "much more slowly than the rows", between the last two sizes
	memoryLimitMB = 1000 // of the database
	perMove       = 2.0  // statements of a climb
	toBegin       = 10   // statements before its first move
	targetRows    = 100_000_000
	targetSeconds = 60.0
)

// source stands where a paper's would.
const source = "this experiment"

func (r *Results) judge(job *run.Job) {
	r.parity(job)
	r.growth(job)
	r.work(job)
	r.target(job)
	r.judgeGrowth(job)
}

func statement(claim, unit, note string) run.Statement {
	return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Unit: unit, Prediction: run.PredictYes,
		Basis: run.Theory, Note: note}
}

// parity judges that engines agree.
func (r *Results) parity(job *run.Job) {
	for _, c := range []struct {
		task, claim, note string
		most              float64
	}{
		{counting, "counts from a database equal those in memory, cell by cell", "counts are whole numbers", 0},
		{climbing, "hill climbing finds the same graph and score through a database", "it sees the same counts",
			statesAlike},
		{constrained, "CPTs under influences are the same through a database", "they are functions of the same counts",
			statesAlike},
		{hidden, "EM with a hidden class ends at the same log-likelihood through a database",
			"it sees the same distinct rows, perhaps in another order", hiddenAlike},
	} {
		s := statement(c.claim, "", fmt.Sprintf("%s; relative difference at most %g", c.note, c.most))
		s.Kind = run.Theorem
		var ours []string
		holds := true
		for _, p := range r.pairs() {
			if p.a.task == c.task {
				holds = holds && p.same && p.most <= c.most
				ours = append(ours, fmt.Sprintf("%d rows: %.1g", p.a.rows, p.most))
			}
		}
		if ours == nil {
			job.Missing(s, "", "only one engine ran: "+r.reason())
			continue
		}
		job.Order(s, "", strings.Join(ours, ", "), holds)
	}
}

// reason is why the first missing engine is missing.
func (r *Results) reason() string {
	for _, one := range r.list {
		if one.absent != "" && one.task == opening {
			return one.engine + " is " + one.absent
		}
	}
	return "no other was given"
}

// growth judges how processor time grows. Elapsed time is not judged, since other programs may
// run.
func (r *Results) growth(job *run.Job) {
	for _, engine := range r.engines {
		for _, name := range r.names() {
			s := statement(fmt.Sprintf("%s, %s: processor time grows no faster than the rows", engine, name),
				"exponent",
				fmt.Sprintf("judged: exponent in the number of rows at most %g over all sizes", linearAtMost))
			s.Measured = true
			slope, ok := fit(r.of(engine, name), func(one result) float64 { return one.processor })
			if !ok {
				job.Missing(s, "", "fewer than two sizes were measured")
				continue
			}
			job.Order(s, "", fmt.Sprintf("%.2f", slope.all), slope.all <= linearAtMost)
		}
	}
}

// work judges what databases are asked.
func (r *Results) work(job *run.Job) {
	for _, engine := range r.engines {
		if engine == (Memory{}).String() {
			continue
		}
		once := statement(engine+": all families are counted by one SQL statement, whatever the number of rows",
			"statements",
			"families are grouped in one pass")
		flat := statement(engine+": the number of rows fetched grows much more slowly than the number of rows counted",
			"exponent",
			fmt.Sprintf("rows fetched are joint states, which are eventually all observed; exponent at most %g "+
				"between the last two sizes", flatAtMost))
		moves := statement(engine+": the number of SQL statements of a climb grows with its moves", "statements "+
			"(moves)",
			fmt.Sprintf("a move changes at most two families; at most %g per move, plus %d initially",
				perMove, toBegin))
		memory := statement(fmt.Sprintf("%s: counting stays within %d MB", engine, memoryLimitMB), "MB",
			"the memory limit given to the database; groups are few")
		memory.Measured = true
		counts := r.of(engine, counting)
		if len(counts) == 0 {
			for _, s := range []run.Statement{once, flat, moves, memory} {
				job.Missing(s, "", r.reason())
			}
			continue
		}
		most, peak := 0, -1.0
		for _, one := range counts {
			most, peak = max(most, one.cost.Statements), max(peak, one.peak)
		}
		job.Order(once, "", fmt.Sprint(most), most == 1)
		if slope, ok := fit(counts, func(one result) float64 { return float64(one.cost.Rows) }); ok {
			job.Order(flat, "", fmt.Sprintf("%.2f", slope.last), slope.last <= flatAtMost)
		} else {
			job.Missing(flat, "", "fewer than two sizes were measured")
		}
		var ours []string
		holds := true
		for _, one := range r.of(engine, climbing) {
			ours = append(ours, fmt.Sprintf("%d (%d)", one.cost.Statements, one.answer.moves))
			holds = holds && float64(one.cost.Statements) <= perMove*float64(one.answer.moves)+toBegin
		}
		job.Order(moves, "", strings.Join(ours, ", "), holds)
		if peak < 0 {
			job.Missing(memory, "", "peak memory is measured on Linux only")
		} else {
			job.Order(memory, "", fmt.Sprintf("%.0f", peak), peak <= memoryLimitMB)
		}
	}
}

// target judges what was aimed at: 100 million rows.
func (r *Results) target(job *run.Job) {
	s := statement(fmt.Sprintf("duckdb: all families of %d rows are counted in less than %g s", targetRows,
		targetSeconds), "seconds", "target, on two processors")
	s.Measured = true
	for _, one := range r.of(noDuckDB.Name, counting) {
		if one.rows == targetRows {
			job.Order(s, "", fmt.Sprintf("%.0f", one.seconds), one.seconds < targetSeconds)
			return
		}
	}
	job.Missing(s, "", "measured in the profile large, with DuckDB")
}
