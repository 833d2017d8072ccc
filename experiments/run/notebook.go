package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"bnlab/internal/say"
)

// Notebook returns the results of an experiment for a notebook cell. Opened by hand, a notebook shows what figures/
// holds, so that it agrees with its text, whatever code has computed it ([Result.String] says which). Without such a
// result, and when BNLAB_PROFILE asks for a profile, it is [Compute]'s, of the profile quick in the first case.
func Notebook(ctx context.Context, e Experiment) (*Result, error) {
	name := os.Getenv("BNLAB_PROFILE")
	if root := Root(); name == "" && os.Getenv("BNLAB_OUT") == "" && root != "" {
		if r, err := Load(filepath.Join(root, "figures", e.Info().ID)); err == nil {
			asNow := find(e, Options{Profile: r.Profile, Seed: r.Seed, Out: filepath.Dir(r.Dir)})
			r.Reused, r.other = true, asNow == nil
			return r, nil
		}
	}
	profile := Quick
	if name != "" {
		var err error
		if profile, err = ParseProfile(name); err != nil {
			return nil, say.Errorf("BNLAB_PROFILE: %w", err)
		}
	}
	return Compute(ctx, e, profile)
}

// Compute returns the results of an experiment at a profile: those on disk when the same configuration has run with
// the same code, and newly computed ones when not. The seed is 1, as it is the runner's. BNLAB_OUT is the directory
// where results are looked for and written; when it is unset, the paper profile is first looked for in figures/, and
// results are otherwise kept in build/PROFILE/, both next to go.mod.
func Compute(ctx context.Context, e Experiment, profile Profile) (*Result, error) {
	out, err := OutDir(profile)
	if err != nil {
		return nil, err
	}
	o := Options{Profile: profile, Seed: 1, Out: out, Workers: runtime.NumCPU()}
	if profile == Paper && os.Getenv("BNLAB_OUT") == "" {
		committed := o
		committed.Out = filepath.Join(Root(), "figures")
		if r := find(e, committed); r != nil {
			return r, nil
		}
	}
	return Cached(ctx, e, o)
}

// OutDir is the directory where a notebook keeps results of a profile.
func OutDir(p Profile) (string, error) {
	if dir := os.Getenv("BNLAB_OUT"); dir != "" {
		return filepath.Abs(dir)
	}
	root := Root()
	if root == "" {
		return "", fmt.Errorf("run: no checkout of bnlab above the notebook: set BNLAB_OUT to a directory for results")
	}
	return filepath.Join(root, "build", string(p)), nil
}

// Cached returns the results in Out/ID when they are those that Execute would
// write, and runs Execute when not.
func Cached(ctx context.Context, e Experiment, o Options) (*Result, error) {
	if r := find(e, o); r != nil {
		return r, nil
	}
	record, _, err := Execute(ctx, e, o)
	if err != nil {
		return nil, err
	}
	return &Result{Record: record, Dir: filepath.Join(o.Out, record.ID)}, nil
}

// find returns the results in Out/ID if they have the profile, seed,
// configuration and code that a run would have now. Without the sources at hand
// nobody can tell, and nothing is found.
func find(e Experiment, o Options) *Result {
	r, err := Load(filepath.Join(o.Out, e.Info().ID))
	if err != nil {
		return nil
	}
	_, config, err := configHash(e, o)
	code := codeHash(e.Info().ID)
	if err != nil || code == "" || r.Code != code || r.ConfigHash != config || r.Profile != o.profile() ||
		r.Seed != o.Seed {
		return nil
	}
	r.Reused = true
	return r
}
