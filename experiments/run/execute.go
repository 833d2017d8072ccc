package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bnlab/internal/atomicfile"
	"bnlab/internal/filelock"
	"bnlab/internal/say"
)

// Options of a run. Profile and Out are required.
type Options struct {
	Profile Profile
	Seed    uint64
	Out     string // results go to Out/ID
	// Settings are values of fields of the configuration other than those of the profile, as text: a name such as
	// "replicates" or, in a struct inside, "brain.people"; a list such as "5,20". The results have the profile [Own].
	Settings map[string]string
	Workers  int // below 1 means 1
	// Progress, when not nil, is told how far each step is. It is called by one
	// goroutine at a time.
	Progress func(step string, done, total int)
}

// Execute runs the experiment and puts its results into Out/ID, replacing
// earlier ones. They appear together once everything is written: after an error,
// or when ctx is done, the earlier results are still there, whole.
func Execute(ctx context.Context, e Experiment, o Options) (Record, []Claim, error) {
	id := e.Info().ID
	if _, err := ParseProfile(string(o.Profile)); err != nil {
		return Record{}, nil, err
	}
	if o.Profile == Large && !e.Info().Large {
		return Record{}, nil, say.Errorf("experiment %s has no profile %s", id, Large)
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
	if err := removeLeftovers(o.Out, id); err != nil {
		return Record{}, nil, err
	}
	dir, release, err := partialDir(o.Out, id)
	if err != nil {
		return Record{}, nil, err
	}
	defer release()
	defer os.RemoveAll(dir)

	job := &Job{Profile: o.Profile, Seed: o.Seed, Workers: o.Workers, dir: dir, progress: o.Progress}
	job.Profile, job.base, job.settings = o.profile(), o.Profile, o.Settings
	start := time.Now()
	err = runAlone(ctx, e, job)
	if err == nil {
		err = job.err
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Record{}, nil, say.Errorf("experiment %s: %w", id, err)
	}
	job.endStep()
	record.Seconds, record.Steps = time.Since(start).Seconds(), job.steps
	record.Data, record.Measured = job.data, job.measured
	record.Lacking = job.lacking
	claims, err := marshalClaims(job.claims)
	if err == nil {
		err = atomicfile.WriteFile(filepath.Join(dir, claimsFile+".csv"), claims)
	}
	if err == nil {
		err = record.write(dir)
	}
	if err == nil {
		err = replaceDir(target, dir)
	}
	return record, job.claims, err
}

// runAlone runs the experiment. With settings of the user's own, which its tables may not be made for, a panic is an
// error.
func runAlone(ctx context.Context, e Experiment, job *Job) (err error) {
	if job.Profile == Own {
		defer func() {
			if p := recover(); p != nil {
				err = say.Errorf("its tables and claims cannot be made with these settings (%v): try sizes that are "+
					"nearer to the paper's", p)
			}
		}()
	}
	return e.Run(ctx, job)
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
		return say.Errorf("%s exists and holds no run.json, so it is not the result of an earlier run: choose "+
			"another -out, or remove it", dir)
	}
	return nil
}

// partialDir makes the hidden directory of a run, and holds its lock until it is released.
// What the umask leaves of 0777 is its mode.
func partialDir(out, id string) (dir string, release func(), err error) {
	for {
		dir := filepath.Join(out, fmt.Sprintf(".%s.partial-%016x", id, rand.Uint64()))
		if err := os.Mkdir(dir, 0o777); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return "", nil, err
		}
		lock, err := os.Open(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue // taken for a leftover before it was locked
		} else if err != nil {
			return "", nil, err
		}
		if _, err := filelock.Try(lock); err != nil {
			return dir, func() { lock.Close() }, nil // without locks no run removes anything
		}
		if _, err := os.Stat(dir); err == nil {
			return dir, func() { lock.Close() }, nil
		}
		lock.Close()
	}
}

// oldSuffix marks earlier results while those of a run take their place.
const oldSuffix = ".old"

// replaceDir puts dir in the place of target, which is moved away first and
// moved back if dir cannot take its place.
func replaceDir(target, dir string) error {
	old := dir + oldSuffix
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

// removeLeftovers removes the directories of runs that were killed, and none of a run
// that goes on, whatever its age. Earlier results that a run had moved away when it
// was killed are moved back.
func removeLeftovers(out, id string) error {
	found, _ := filepath.Glob(filepath.Join(out, "."+id+".partial-*"))
	for _, dir := range found {
		partial, isOld := strings.CutSuffix(dir, oldSuffix)
		if !isOld {
			if filelock.Abandoned(dir) {
				os.RemoveAll(dir)
			}
			continue
		}
		if _, err := os.Stat(partial); err == nil && !filelock.Abandoned(partial) {
			continue // its run is about to take the place
		}
		target := filepath.Join(out, id)
		if _, err := os.Lstat(target); errors.Is(err, os.ErrNotExist) {
			if err := os.Rename(dir, target); err != nil {
				return err
			}
			continue
		}
		os.RemoveAll(dir)
	}
	return nil
}
