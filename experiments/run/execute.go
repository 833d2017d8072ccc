package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Options of a run. Profile and Out are required.
type Options struct {
	Profile Profile
	Seed    uint64
	Out     string // results go to Out/ID
	Workers int    // below 1 means 1
	// Progress, when not nil, is told how far each step is. It is called by one
	// goroutine at a time.
	Progress func(step string, done, total int)
}

// leftover is the age at which the hidden directory of a killed run is removed.
const leftover = time.Hour

// Execute runs the experiment and puts its results into Out/ID, replacing
// earlier ones. They appear together once everything is written: after an error,
// or when ctx is done, the earlier results are still there, whole.
func Execute(ctx context.Context, e Experiment, o Options) (Record, []Claim, error) {
	id := e.Info().ID
	if _, err := ParseProfile(string(o.Profile)); err != nil {
		return Record{}, nil, err
	}
	if o.Profile == Large && !e.Info().Large {
		return Record{}, nil, fmt.Errorf("experiment %s has no profile %s", id, Large)
	}
	o.Workers = max(o.Workers, 1)
	record, err := newRecord(e, o)
	if err != nil {
		return Record{}, nil, err
	}
	target := filepath.Join(o.Out, id)
	if err := replaceable(target); err != nil {
		return Record{}, nil, err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return Record{}, nil, err
	}
	removeLeftovers(o.Out, id)
	dir, err := os.MkdirTemp(o.Out, "."+id+".partial-*")
	if err != nil {
		return Record{}, nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return Record{}, nil, err
	}

	job := &Job{Profile: o.Profile, Seed: o.Seed, Workers: o.Workers, dir: dir, progress: o.Progress}
	start := time.Now()
	err = e.Run(ctx, job)
	if err == nil {
		err = job.err
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Record{}, nil, fmt.Errorf("experiment %s: %w", id, err)
	}
	job.endStep()
	record.Seconds, record.Steps, record.Data = time.Since(start).Seconds(), job.steps, job.data
	claims, err := marshalClaims(job.claims)
	if err == nil {
		err = writeFile(filepath.Join(dir, "claims.csv"), claims)
	}
	if err == nil {
		err = record.write(dir)
	}
	if err == nil {
		err = replaceDir(target, dir)
	}
	return record, job.claims, err
}

// replaceable refuses a directory that is not the result of a run.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		return fmt.Errorf("%s exists and holds no run.json, so it is not the result of an earlier run: choose another -out, or remove it", dir)
	}
	return nil
}

// replaceDir puts dir in the place of target, which is moved away first and
// moved back if dir cannot take its place.
func replaceDir(target, dir string) error {
	old := dir + ".old"
	err := os.Rename(target, old)
	if errors.Is(err, os.ErrNotExist) {
		return os.Rename(dir, target)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(dir, target); err != nil {
		return errors.Join(err, os.Rename(old, target))
	}
	return os.RemoveAll(old)
}

// removeLeftovers removes what killed runs left behind.
func removeLeftovers(out, id string) {
	found, _ := filepath.Glob(filepath.Join(out, "."+id+".partial-*"))
	for _, dir := range found {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > leftover {
			os.RemoveAll(dir)
		}
	}
}
