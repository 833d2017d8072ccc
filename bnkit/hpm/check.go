package hpm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// Check returns an error for the first thing that makes the study unusable, with trial, run, voxel
// and remedy, and warnings for what can be used but seldom should.
func (s *Study) Check() (warnings []string, err error) {
	if s == nil {
		return nil, fmt.Errorf("hpm: there is no study; give one with processes, voxels and trials")
	}
	for _, part := range []struct {
		n    int
		name string
	}{{len(s.Processes), "processes"}, {len(s.Voxels), "voxels"}, {len(s.Trials), "trials"}} {
		if part.n == 0 {
			return nil, say.Errorf("hpm: the study has no %s; give at least one", part.name)
		}
	}
	length := make(map[string]int)
	values := 0
	for _, p := range s.Processes {
		if _, twice := length[p.Name]; twice {
			return nil, say.Errorf("hpm: there are two processes %q; give each a name of its own", p.Name)
		}
		if p.Length < 1 {
			return nil, say.Errorf("hpm: process %q is %d images long; give its Length in images, 1 or more", p.Name,
				p.Length)
		}
		length[p.Name] = p.Length
		if values += min(p.Length, maxValues+1); values > maxValues {
			return nil, say.Errorf("hpm: the processes up to %q, of %d images, have more than %d values together, "+
				"and a square of numbers that wide has to fit into memory; give a shorter Length", p.Name, p.Length,
				maxValues)
		}
	}
	if !(s.ImageSeconds >= 0) || math.IsInf(s.ImageSeconds, 1) {
		return nil, say.Errorf("hpm: ImageSeconds is %v; give the seconds between images, or 0 for unknown",
			s.ImageSeconds)
	}
	if s.Nuisance.Drift < 0 {
		return nil, fmt.Errorf("hpm: Nuisance.Drift is %d; give the degree of a polynomial, or 0 for none",
			s.Nuisance.Drift)
	}
	for n := range s.Trials {
		if err := s.checkTrial(n, length); err != nil {
			return nil, err
		}
	}
	return append(s.constantVoxels(), s.rareThings()...), nil
}

// Bounds on what no study comes near: values of all processes, and images of a trial.
const (
	maxValues = 1 << 13
	maxImages = 1 << 24
)

// checkImages returns an error for a number of images that no trial has.
func checkImages(n int, at string) error {
	if n < 1 || n > maxImages {
		return say.Errorf("hpm: %s has %d images; give 1 to %d", at, n, maxImages)
	}
	return nil
}

// checkShape demands of trial n as many values as it has images, voxels and confounds.
func (s *Study) checkShape(n int) error {
	t := &s.Trials[n]
	at := s.trialName(n)
	if err := checkImages(t.Images, at); err != nil {
		return err
	}
	if want := t.Images * len(s.Voxels); len(t.Data) != want {
		return say.Errorf("hpm: %s has %d values; %d images of %d voxels are %d, a row for each image", at, len(t.Data),
			t.Images, len(s.Voxels), want)
	}
	if want := t.Images * len(s.Nuisance.Confounds); len(t.Confounds) != want {
		return say.Errorf("hpm: %s has %d values of confounds; %d images of %d confounds are %d, a row for each image",
			at, len(t.Confounds), t.Images, len(s.Nuisance.Confounds), want)
	}
	if t.VoxelOnsets != nil && len(t.VoxelOnsets) != len(s.Voxels) {
		return say.Errorf("hpm: %s has onsets for %d voxels, and the study %d voxels; give VoxelOnsets an entry for "+
			"each, or leave it nil", at, len(t.VoxelOnsets), len(s.Voxels))
	}
	return nil
}

func (s *Study) checkTrial(n int, length map[string]int) error {
	t := &s.Trials[n]
	at := s.trialName(n)
	if err := s.checkShape(n); err != nil {
		return err
	}
	if i := notFinite(t.Data); i >= 0 {
		return say.Errorf("hpm: %s, image %d, %s: the signal is %v; leave the voxel out (Study.Select) or mend the "+
			"image", at, i/len(s.Voxels)+1, s.voxelName(i%len(s.Voxels)), t.Data[i])
	}
	if i := notFinite(t.Confounds); i >= 0 {
		return say.Errorf("hpm: %s, image %d: confound %q is %v; give a number, as 0 where it is undefined", at,
			i/len(s.Nuisance.Confounds)+1, s.Nuisance.Confounds[i%len(s.Nuisance.Confounds)], t.Confounds[i])
	}
	if err := s.checkOnsets(t.Onsets, t.Images, length, at); err != nil {
		return err
	}
	for v, onsets := range t.VoxelOnsets {
		if err := s.checkOnsets(onsets, t.Images, length, at+", "+s.voxelName(v)); err != nil {
			return err
		}
	}
	return nil
}

// checkOnsets demands known processes, that begin within the trial, one instance at a time.
func (s *Study) checkOnsets(onsets []Onset, images int, length map[string]int, at string) error {
	for i, o := range onsets {
		lasts, known := length[o.Process]
		if !known {
			var names []string
			for _, p := range s.Processes {
				names = append(names, p.Name)
			}
			return say.Errorf("hpm: %s: an onset of process %q, which the study does not have (processes: %s)", at,
				o.Process, say.List(names))
		}
		if o.Image < 1 || o.Image > images {
			return say.Errorf("hpm: %s: process %q begins at image %d of %d; images count from 1: leave the onset "+
				"out or mend it", at, o.Process, o.Image, images)
		}
		for _, other := range onsets[:i] {
			if gap := o.Image - other.Image; other.Process == o.Process && max(gap, -gap) < lasts {
				remedy := "leave one of the onsets out"
				if gap != 0 {
					remedy = fmt.Sprintf("give it a Length of at most %d or %s", max(gap, -gap), remedy)
				}
				return say.Errorf("hpm: %s: process %q begins at images %d and %d but lasts %d images, so two "+
					"instances would run at once; %s",
					at, o.Process, min(o.Image, other.Image), max(o.Image, other.Image), lasts, remedy)
			}
		}
	}
	return nil
}

// constantVoxels warns of voxels that never change within a run.
func (s *Study) constantVoxels() []string {
	runs := s.LeaveOneRunOut()
	var names []string
	for v := range s.Voxels {
		if s.constant(v, runs) {
			names = append(names, s.voxelName(v))
		}
	}
	if names == nil {
		return nil
	}
	return []string{"the signal never changes within a run: leave out " + atMost(10, names)}
}

// constant reports whether voxel v has one value throughout each run.
func (s *Study) constant(v int, runs [][]int) bool {
	for _, run := range runs {
		first := s.Trials[run[0]].Data[v]
		for _, n := range run {
			for at := v; at < len(s.Trials[n].Data); at += len(s.Voxels) {
				if s.Trials[n].Data[at] != first {
					return false
				}
			}
		}
	}
	return true
}

// rareThings warns of processes that never begin, and of regions of one voxel.
func (s *Study) rareThings() []string {
	var out []string
	for _, p := range s.Processes {
		begins := func(o Onset) bool { return o.Process == p.Name }
		if !slices.ContainsFunc(s.Trials, func(t Trial) bool {
			return slices.ContainsFunc(t.Onsets, begins) ||
				slices.ContainsFunc(t.VoxelOnsets, func(o []Onset) bool { return slices.ContainsFunc(o, begins) })
		}) {
			out = append(out, fmt.Sprintf("process %q begins in no trial: its values are 0", p.Name))
		}
	}
	var alone []string
	for _, r := range s.regions() {
		if len(r.voxels) == 1 {
			alone = append(alone, fmt.Sprintf("%q", r.name))
		}
	}
	if alone != nil {
		out = append(out, "with one voxel there is nothing to share: region "+atMost(10, alone))
	}
	return out
}

// trialName says where trial n is, in words.
func (s *Study) trialName(n int) string {
	t := &s.Trials[n]
	name := fmt.Sprintf("trial %d", n)
	if t.Name != "" {
		name += fmt.Sprintf(" (%s)", t.Name)
	}
	if t.Run != "" {
		name = fmt.Sprintf("run %s, %s", t.Run, name)
	}
	return name
}

// voxelName says where voxel v is, in words.
func (s *Study) voxelName(v int) string {
	at := s.Voxels[v]
	name := fmt.Sprintf("voxel %d (%d, %d, %d)", v, at.X, at.Y, at.Z)
	if at.Region != "" {
		name += " of " + at.Region
	}
	return name
}

// usable reports whether x is a number, and not so large that sums of its square are none.
func usable(x float64) bool { return math.Abs(x) < 1e100 }

// notFinite returns where the first number is that is not usable; −1 for none.
func notFinite(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return !usable(v) })
}

// atMost joins the first names and counts the rest.
func atMost(n int, names []string) string {
	some := make([]string, min(n, len(names)))
	for i := range some {
		some[i] = say.Name(names[i])
	}
	text := strings.Join(some, "; ")
	if more := len(names) - n; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
