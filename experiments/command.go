package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"bnlab/experiments/run"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// command runs the whole program and returns its exit status.
func command(ctx context.Context, experiments []run.Experiment, args []string, stdout, stderr io.Writer) int {
	r, err := parse(experiments, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage, "\nexperiments:\n")
		list(stdout, experiments)
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "experiments: %v\n", err)
		return exitUsage
	case r.list:
		list(stdout, experiments)
		return exitOK
	case r.compare, r.update, r.lacking:
		return r.reference(ctx, experiments, stdout, stderr)
	}
	return r.run(ctx, ids(experiments), stdout, stderr)
}

// run executes the chosen experiments one after the other, goes on after one
// that fails, and prints the claims of those that finished.
func (r request) run(ctx context.Context, order []string, stdout, stderr io.Writer) int {
	var (
		finished []string
		failures []string
		claims   []run.Claim
		of       []string // experiment of each claim
	)
	meter := newMeter(stderr, figures, ids(r.chosen))
	for _, e := range r.chosen {
		id := e.Info().ID
		meter.begin()
		o := r.options
		o.Progress = meter.update
		if r.seeds > 0 {
			failed, err := r.runSeeds(ctx, e, o, stdout)
			meter.end()
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				fmt.Fprintf(stderr, "experiments: %v\n", err)
				failures = append(failures, id+" failed")
				continue
			}
			finished = append(finished, id)
			failures = append(failures, failed...)
			continue
		}
		record, c, err := run.Execute(ctx, e, o)
		meter.end()
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			fmt.Fprintf(stderr, "experiments: %v\n", err)
			failures = append(failures, id+" failed")
			continue
		}
		fmt.Fprintf(stderr, "%s: done in %.1f s, see %s\n", id, record.Seconds, filepath.Join(o.Out, id))
		finished = append(finished, id)
		for _, claim := range c {
			claims, of = append(claims, claim), append(of, id)
		}
	}
	if _, err := os.Stat(r.options.Out); err == nil {
		leftOut, err := run.WriteReport(r.options.Out, order)
		for _, sentence := range leftOut {
			fmt.Fprintf(stderr, "note: report: %s\n", sentence)
		}
		if err != nil {
			fmt.Fprintf(stderr, "experiments: report: %v\n", err)
			failures = append(failures, "the report failed")
		}
	}
	printClaims(stdout, of, claims)
	for i, c := range claims {
		if c.Failed() {
			failures = append(failures, describe(of[i], c))
		} else if c.Surprising() {
			fmt.Fprintf(stderr, "note: %s\n", describe(of[i], c))
		}
	}
	if ctx.Err() != nil {
		done := "none"
		if len(finished) > 0 {
			done = strings.Join(finished, ", ")
		}
		fmt.Fprintf(stderr, "experiments: interrupted. Finished and written: %s. Earlier results of the others are "+
			"as they were.\n", done)
		return exitInterrupted
	}
	if len(failures) > 0 {
		fmt.Fprintf(stderr, "experiments: FAILED\n  %s\n", strings.Join(failures, "\n  "))
		return exitFailed
	}
	return exitOK
}

// describe says what a claim that contradicts its prediction is.
func describe(id string, c run.Claim) string {
	return fmt.Sprintf("%s: %s predicted %s, came out %s: %s (%s; paper %s, ours %s)", id, c.Kind, c.Prediction,
		c.Holds, c.Claim, c.Source, c.Paper, c.Value())
}

// runSeeds runs an experiment with several seeds, prints the verdicts that change, and describes regression
// tests that failed.
func (r request) runSeeds(ctx context.Context, e run.Experiment, o run.Options, stdout io.Writer) ([]string, error) {
	tallies, failed, err := run.ExecuteSeeds(ctx, e, o, r.seeds)
	if err != nil {
		return nil, err
	}
	id := e.Info().ID
	changing := 0
	for _, t := range tallies {
		if t.Changes() {
			changing++
			fmt.Fprintf(stdout, "%s: %s: %s\n", id, t, t.Claim)
		}
	}
	fmt.Fprintf(stdout, "%s: %d of %d verdicts change over %d seeds, see %s\n", id, changing, len(tallies), r.seeds,
		filepath.Join(o.Out, "seeds", id+".csv"))
	var failures []string
	for _, c := range failed {
		failures = append(failures, describe(id, c))
	}
	return failures, nil
}

func printClaims(w io.Writer, of []string, claims []run.Claim) {
	if len(claims) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "experiment\tclaim\tsource\tpaper\tours (5 to 95 %)\tunit\tprediction\tholds")
	for i, c := range claims {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", of[i], c.Claim, c.Source, orDash(c.Paper), c.Value(),
			orDash(c.Unit), c.Prediction, c.Holds)
	}
	t.Flush()
}
