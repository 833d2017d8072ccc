package scale

import (
	"testing"

	"bnlab/bnkit/sqldata"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// TestVerdicts: measurements for which each rule says yes, no, and that it cannot be told.
func TestVerdicts(t *testing.T) {
	// Processor time and the rows fetched grow with a power of the rows; the second engine's answers are off by some.
	world := func(power, off, peak float64, statements int, seconds float64, sizes ...int) []run.Claim {
		db := noDuckDB.Name
		r := &Results{engines: []string{(Memory{}).String(), db}}
		for _, name := range []string{counting, climbing, constrained, hidden} {
			r.tasks = append(r.tasks, task{name: name})
		}
		for _, rows := range sizes {
			r.Files = append(r.Files, File{Rows: rows})
			for _, task := range r.tasks {
				for i, engine := range r.engines {
					time := 1.0
					for n := 1000; n < rows; n *= 10 {
						time *= power
					}
					r.list = append(r.list, result{rows: rows, engine: engine, task: task.name,
						usage:  usage{seconds: seconds, processor: time, peak: peak},
						cost:   sqldata.Cost{Statements: statements, Rows: int64(1000 * time)},
						answer: answer{text: "same", numbers: []float64{1 + float64(i)*off}, moves: 2}})
				}
			}
		}
		return runtest.Claims(t, func(job *run.Job) error {
			r.judge(job)
			return nil
		})
	}
	const ten = 10
	worlds := [][]run.Claim{
		world(2, 0, 900, 1, 59, targetRows/ten, targetRows),
		world(100, 0.1, 1100, 20, 61, targetRows/ten, targetRows),
		world(1, 0, -1, 1, 1, 1000),
	}
	want := map[string]string{
		"counts from a database equal those in memory":         "yes no yes",
		"hill climbing finds the same graph":                   "yes no yes",
		"CPTs under influences are the same":                   "yes no yes",
		"EM with a hidden class ends at the same":              "yes no yes",
		"duckdb: all families are counted by one":              "yes no yes",
		"duckdb: the number of rows fetched grows much more":   "yes no n/a",
		"duckdb: the number of SQL statements of a climb grow": "yes no yes",
		"duckdb: counting stays within":                        "yes no n/a",
		"duckdb: all families of 100000000 rows are counted":   "yes no n/a",
	}
	for _, engine := range []string{"memory", "duckdb"} {
		for _, name := range []string{counting, climbing, constrained, hidden} {
			want[engine+", "+name+": processor time grows no faster"] = "yes no n/a"
		}
	}
	runtest.Verdicts(t, worlds, want)

	alone := &Results{engines: []string{(Memory{}).String()}, tasks: []task{{name: counting}}}
	runtest.Verdicts(t, [][]run.Claim{runtest.Claims(t, func(job *run.Job) error {
		alone.judge(job)
		return nil
	})}, map[string]string{"counts from a database equal those in memory": "n/a"})
}
