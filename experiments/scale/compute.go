package scale

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/sqldata"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A result is one task on one file by one engine.
type result struct {
	rows         int
	engine, task string
	usage
	cost   sqldata.Cost
	answer answer
	absent string // why the engine could not be had, else empty
}

// Results are all measurements, by rows, engine and task.
type Results struct {
	Config     Config
	Network    string
	Statements int // under which ML estimates
	Columns    int
	Files      []File
	engines    []string
	tasks      []task
	list       []result
	grown      []grown
}

// Compute draws the files and measures all engines on them.
func Compute(ctx context.Context, job *run.Job, c Config, engines ...Engine) (*Results, error) {
	bad := len(c.Rows) == 0 || c.Rows[0] < 1 || c.Repeats < 1 || c.Chunk < 1 || c.Iterations < 1
	for i := range c.Rows {
		bad = bad || i > 0 && c.Rows[i] <= c.Rows[i-1] // there is no slope between equal sizes
	}
	if bad {
		return nil, say.Errorf("scale: the configuration %+v makes no sense; rows ascend, and no number is below 1", c)
	}
	net, name, err := network(ctx, job, job.Source(streamTables, 0))
	if err != nil {
		return nil, err
	}
	statements, err := influences(net)
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c, Network: name, Statements: len(statements), Columns: net.Len()}
	if r.tasks, err = c.tasks(net, statements, job.Workers); err != nil {
		return nil, err
	}
	for _, e := range engines {
		r.engines = append(r.engines, e.String())
	}
	for _, rows := range c.Rows {
		job.Step(fmt.Sprintf("draw %d rows", rows))
		file, err := generate(ctx, job, c, net, rows)
		if err != nil {
			return nil, err
		}
		r.Files = append(r.Files, file)
		job.Step(fmt.Sprintf("measure on %d rows", rows))
		for i, e := range engines {
			job.Progress(fmt.Sprintf("measure on %d rows", rows), i, len(engines))
			if err := r.measure(ctx, job, file, e); err != nil {
				return nil, say.Errorf("scale: %s, %d rows: %w", e, rows, err)
			}
		}
	}
	job.Step("measure growth")
	r.grown, err = c.measureGrowth(ctx, job)
	return r, err
}

// measure runs all tasks of one engine on a file. The file is opened anew for each run of a
// task, so that nothing is remembered from another.
func (r *Results) measure(ctx context.Context, job *run.Job, file File, e Engine) error {
	opened := result{rows: file.Rows, engine: e.String(), task: opening}
	var done []result
	for i, t := range r.tasks {
		one := result{rows: file.Rows, engine: e.String(), task: t.name}
		if t.name == climbing && r.Config.beyond(file.Rows) {
			one.absent = fmt.Sprintf("measured up to %d rows", r.Config.Climbed)
			done = append(done, one)
			continue
		}
		for repeat := range r.Config.Repeats {
			open, used, err := one.run(ctx, file, e, t)
			if errors.Is(err, ErrAbsent) {
				r.absent(file, e, err)
				job.Lacks(e.String(), err.Error())
				return nil
			}
			if err != nil {
				return say.Errorf("%s: %w", t.title, err)
			}
			if repeat == 0 {
				one.usage = used
			}
			if i == 0 && repeat == 0 {
				opened.usage, opened.cost = open.usage, open.cost
			}
			one.usage, opened.usage = one.fastest(used), opened.fastest(open.usage)
			if open.seconds+used.seconds > 1 {
				break
			}
		}
		done = append(done, one)
	}
	r.list = append(append(r.list, opened), done...)
	return nil
}

// run opens the file and does the task once.
func (one *result) run(ctx context.Context, file File, e Engine, t task) (open result, used usage, err error) {
	base := settle()
	var cases Cases
	open.usage, err = measure(base, func() (err error) {
		cases, err = e.Open(ctx, file)
		return err
	})
	if err != nil {
		return open, used, err
	}
	defer func() { err = errors.Join(err, cases.Close()) }()
	open.cost = cases.Cost()
	used, err = measure(base, func() (err error) {
		one.answer, err = t.run(ctx, learned(cases))
		return err
	})
	after := cases.Cost()
	one.cost = sqldata.Cost{Statements: after.Statements - open.cost.Statements, Rows: after.Rows - open.cost.Rows}
	return open, used, err
}

// absent notes that an engine cannot be had for a file.
func (r *Results) absent(file File, e Engine, why error) {
	for _, name := range append([]string{opening}, r.names()...) {
		r.list = append(r.list, result{rows: file.Rows, engine: e.String(), task: name, absent: why.Error()})
	}
}

// names are those of the tasks after the opening.
func (r *Results) names() []string {
	names := make([]string, len(r.tasks))
	for i, t := range r.tasks {
		names[i] = t.name
	}
	return names
}

// of returns the measurements of one engine and task, by rows.
func (r *Results) of(engine, task string) []result {
	var list []result
	for _, one := range r.list {
		if one.engine == engine && one.task == task && one.absent == "" {
			list = append(list, one)
		}
	}
	return list
}

// A pair is the same task on the same file by two engines.
type pair struct {
	a, b result
	same bool    // the same words, as of a graph
	most float64 // difference of a number, relative to the larger of its size and 1
}

// pairs compares each engine with the first one that did the task.
func (r *Results) pairs() []pair {
	var list []pair
	for _, name := range r.names() {
		for _, file := range r.Files {
			var first *result
			for _, one := range r.list {
				switch {
				case one.rows != file.Rows || one.task != name || one.absent != "":
				case first == nil:
					first = &one
				default:
					list = append(list, compare(*first, one))
				}
			}
		}
	}
	return list
}

func compare(a, b result) pair {
	p := pair{a: a, b: b, same: a.answer.text == b.answer.text && len(a.answer.numbers) == len(b.answer.numbers)}
	if len(a.answer.numbers) != len(b.answer.numbers) {
		p.most = 1
		return p
	}
	for i, x := range a.answer.numbers {
		y := b.answer.numbers[i]
		p.most = max(p.most, math.Abs(x-y)/max(1, math.Abs(x), math.Abs(y)))
	}
	return p
}
