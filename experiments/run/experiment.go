package run

import (
	"context"

	"bnlab/internal/say"
)

// A Profile is a size of an experiment.
type Profile string

// The profiles. Every experiment has the first two.
const (
	Quick Profile = "quick" // small, for CI and for a first look
	Paper Profile = "paper" // the paper's own sizes
	Large Profile = "large" // what takes long or fills a disk; see [Info]
)

// ParseProfile returns the profile of that name.
func ParseProfile(name string) (Profile, error) {
	switch p := Profile(name); p {
	case Quick, Paper, Large:
		return p, nil
	}
	return "", say.Errorf("unknown profile %q (there are: %s, %s, %s)", name, Quick, Paper, Large)
}

// Info says what an experiment is about.
type Info struct {
	ID       string // lower case; names the package experiments/ID and the result directory
	Title    string
	Paper    string // source, as in "N06 §5.1"; empty when no paper is reproduced
	Notebook string // file name without .ipynb, as in "01-sharing"
	Large    bool   // whether it has the profile large
	// Revision is counted up when results change for a reason that the
	// configuration and the sources of this module do not show.
	Revision int
}

// An Experiment is one entry of the runner's list.
type Experiment interface {
	Info() Info
	// Config is everything besides the seed that the results of a profile depend
	// on, as a value that encoding/json can write. Two runs with the same
	// configuration and the same code have the same results.
	Config(Profile) any
	// Run computes and writes everything through job. When ctx is done it returns
	// the context's error soon.
	Run(ctx context.Context, job *Job) error
}
