// Command scale runs the experiment on scale with DuckDB beside memory, and writes the files
// that the runner of experiments writes for it:
//
//	go run . [-profile quick|paper|large] [-seed N] [-out DIR] [-workers N]
//
// It is run from the folder of this module. Results go to DIR/scale, and DIR/REPORT.md is
// written anew with the claims of all experiments in DIR. The exit status is 1 when the experiment
// fails or a theorem comes out against its prediction, 2 for a wrong command line, 130 after
// Ctrl-C and 0 otherwise; go run itself turns every status but 0 into 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"bnlab/experiments/run"
	"bnlab/experiments/scale"
	"bnlab/experiments/scale/duckdb/engine"
	"bnlab/internal/say"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command runs the whole program and returns its exit status.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "scale: %v\n%s\n", err, usage)
		return 2
	}
	step := ""
	o.Progress = func(name string, _, _ int) {
		if name != step {
			step = name
			fmt.Fprintf(stderr, "scale: %s\n", name)
		}
	}
	_, claims, err := run.Execute(ctx, scale.New(engine.DuckDB{Threads: o.Workers}), o)
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "scale: interrupted; earlier results are as they were")
		return 130
	}
	if err == nil {
		err = report(o.Out, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "scale: %v\n", err)
		return 1
	}
	status := 0
	for _, c := range claims {
		fmt.Fprintf(stdout, "%s: %s %s (predicted %s, holds %s)\n", c.Claim, c.Value(), c.Unit, c.Prediction, c.Holds)
		if c.Failed() {
			status = 1
		}
	}
	fmt.Fprintf(stderr, "scale: see %s\n", filepath.Join(o.Out, "scale"))
	return status
}

const usage = "usage: go run . [-profile quick|paper|large] [-seed N] [-out DIR] [-workers N]"

// parse reads the command line. Results go where the runner of experiments puts them.
func parse(args []string) (run.Options, error) {
	var o run.Options
	fs := flag.NewFlagSet("scale", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	profile := fs.String("profile", string(run.Quick), "")
	fs.Uint64Var(&o.Seed, "seed", 1, "")
	fs.StringVar(&o.Out, "out", "", "")
	fs.IntVar(&o.Workers, "workers", runtime.NumCPU(), "")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, say.Errorf("%q is not wanted here", fs.Arg(0))
	}
	if o.Workers < 1 {
		return o, fmt.Errorf("-workers %d: at least 1 is needed", o.Workers)
	}
	var err error
	if o.Profile, err = run.ParseProfile(*profile); err != nil {
		return o, err
	}
	if o.Out == "" {
		root := run.Root()
		if root == "" {
			return o, errors.New("there is no checkout of bnlab here: say with -out where results go")
		}
		o.Out = filepath.Join(root, "build", string(o.Profile))
	}
	return o, nil
}

// report writes the report of all experiments in a folder, in the order of their notebooks, as
// the runner does.
func report(out string, stderr io.Writer) error {
	results, err := run.LoadAll(out, nil)
	if err != nil {
		return err
	}
	slices.SortStableFunc(results, func(a, b *run.Result) int { return strings.Compare(a.Notebook, b.Notebook) })
	ids := make([]string, len(results))
	for i, r := range results {
		ids[i] = filepath.Base(r.Dir)
	}
	leftOut, err := run.WriteReport(out, ids)
	for _, sentence := range leftOut {
		fmt.Fprintf(stderr, "scale: report: %s\n", sentence)
	}
	return err
}
