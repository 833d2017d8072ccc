package run

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// private reports whether a file of a result stays with the user who has computed it, as places of voxels do: it has
// parts of data that are not ours to pass on. Neither a reference nor a report has such files.
func private(name string) bool { return strings.HasPrefix(name, "private-") }

// Adopt puts the result of an experiment in the place of the one in a reference, whole or not at all. It refuses one
// that lacks data which the reference had, and one of another profile.
func Adopt(reference, out, id string) error {
	now, err := Load(filepath.Join(out, id))
	if err != nil {
		return err
	}
	if now.Profile != Paper {
		return say.Errorf("%s ran at the profile %s: the reference has %s", id, now.Profile, Paper)
	}
	if old, err := Load(filepath.Join(reference, id)); err == nil {
		if lacking := now.lacks(old); len(lacking) > 0 {
			return say.Errorf("%s ran without %s: the reference has it and stays as it is", id,
				strings.Join(slices.Sorted(maps.Keys(lacking)), ", "))
		}
	}
	target := filepath.Join(reference, id)
	if err := replaceable(target); err != nil {
		return err
	}
	if err := os.MkdirAll(reference, 0o755); err != nil {
		return err
	}
	if err := removeLeftovers(reference, id); err != nil {
		return err
	}
	dir, release, err := partialDir(reference, id)
	if err != nil {
		return err
	}
	defer release()
	defer os.RemoveAll(dir)
	entries, err := os.ReadDir(now.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if private(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(now.Dir, e.Name()))
		if err == nil {
			err = atomicfile.WriteFile(filepath.Join(dir, e.Name()), b)
		}
		if err != nil {
			return err
		}
	}
	return replaceDir(target, dir)
}
