// Command experiments runs the reproductions of the papers without a notebook.
//
//	go run ./experiments [-list] [-profile quick|paper|large] [-seed N] [-seeds N] [-out DIR] [-workers N]
//	  [-compare | -update | -lacking] [id …]
//
// Each experiment writes tables, figures, run.json and claims.csv into DIR/id;
// DIR/REPORT.md says what came out in all experiments in DIR. The exit status is 1
// when an experiment fails, -compare finds a difference, or a theorem or arithmetic on published numbers comes out
// against its prediction; a finding that does so is a result. It is 0 otherwise, 2 for a wrong
// command line and 130 after Ctrl-C; go run itself
// turns every status but 0 into 1.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"bnlab/experiments/apn"
	"bnlab/experiments/constraints"
	"bnlab/experiments/graphs"
	"bnlab/experiments/guarantees"
	"bnlab/experiments/hierarchy"
	"bnlab/experiments/hpm"
	"bnlab/experiments/noisyor"
	"bnlab/experiments/quickstart"
	"bnlab/experiments/run"
	"bnlab/experiments/scale"
	"bnlab/experiments/sharing"
	"bnlab/experiments/timecourse"
	"bnlab/experiments/weigh"
)

// all lists the experiments, in the order of the notebooks.
var all = []run.Experiment{
	quickstart.Experiment{},
	sharing.Experiment{},
	constraints.Experiment{},
	guarantees.Experiment{},
	apn.Experiment{},
	timecourse.Experiment{},
	noisyor.Experiment{},
	hpm.Experiment{},
	hierarchy.Experiment{},
	scale.New(),
	graphs.Experiment{},
	weigh.Experiment{},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(command(ctx, all, os.Args[1:], os.Stdout, os.Stderr))
}
