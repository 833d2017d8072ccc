package hpm

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
	"bnlab/internal/nifti"
	"bnlab/internal/say"
)

const (
	haxbyLength = 15 // images of a process: a block of 9 and what follows it
	haxbyRest   = "rest"
)

// loadHaxby reads real voxels: the mask of a slice, 12 runs of 121 images, 8 kinds of stimuli, each in one block a
// run. A run is a trial. Signals are in percent of a voxel's mean over the run; each voxel and run has a
// baseline and a linear drift. Noise is taken as white, which it is not.
func loadHaxby(ctx context.Context, job *run.Job, s *Source, c Config, p published) error {
	path, err := file(ctx, job, "haxby/mask.nii.gz", nil)
	if err != nil {
		return err
	}
	header, mask, err := nifti.ReadImage(path, nil)
	if err != nil {
		return err
	}
	var inside []int
	study := &hpm.Study{Sides: header.Sides(), Nuisance: hpm.Nuisance{Intercept: true, Drift: 1}}
	ground := &s.Ground
	for v, x := range mask {
		x0, y, z := header.Place(v)
		ground.X, ground.Y, ground.Z = append(ground.X, x0), append(ground.Y, y), append(ground.Z, z)
		if x != 0 {
			inside = append(inside, v)
			study.Voxels = append(study.Voxels, hpm.Voxel{X: x0, Y: y, Z: z, Region: haxbyRegion})
		}
	}
	labels, err := open(ctx, job, "haxby/attributes_literal.txt")
	if err != nil {
		return err
	}
	if path, err = file(ctx, job, "haxby/bold.nii.gz", nil); err != nil {
		return err
	}
	r, err := nifti.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if !header.SameGrid(r.Header) {
		return say.Errorf("%s: the mask has another shape", path)
	}
	if study.ImageSeconds, err = r.Header.Seconds(); err != nil {
		return err
	}
	if study.Trials, study.Processes, err = blocks(labels); err != nil {
		return err
	}
	all, image := 0, []float64(nil)
	ground.Values = make([]float64, len(mask))
	for n := range study.Trials {
		t := &study.Trials[n]
		all += t.Images
		for range t.Images {
			if image, err = r.Next(image[:0], nil); err != nil {
				return err
			}
			floats.Add(ground.Values, image)
			for _, v := range inside {
				t.Data = append(t.Data, image[v])
			}
		}
	}
	floats.Scale(1/float64(all), ground.Values)
	if s.Study, err = study.PercentSignalChange(); err != nil {
		return err
	}
	s.Facts = []fact{count("runs", 12, len(study.Trials)), count("voxels of the mask", 530, len(inside)),
		count("images", 12*121, all), count("images in the file", all, r.Header.Images),
		count("kinds of stimuli", 8, len(study.Processes))}
	return s.verify()
}

const haxbyRegion = "slice"

// blocks turns the label and the run of each image into trials, one a run, without data: a stimulus begins
// where its label follows another.
func blocks(labels []byte) ([]hpm.Trial, []hpm.Process, error) {
	var trials []hpm.Trial
	var kinds []string
	before := haxbyRest
	for i, line := range strings.Split(string(bytes.TrimSpace(labels)), "\n") {
		cells := strings.Fields(line)
		if len(cells) != 2 {
			return nil, nil, say.Errorf("attributes_literal.txt, line %d: %q, want a label and a run", i+1, line)
		}
		if n, err := strconv.Atoi(cells[1]); err != nil || n != len(trials)-1 && n != len(trials) {
			return nil, nil, say.Errorf("attributes_literal.txt, line %d: run %q after %d runs", i+1, cells[1],
				len(trials))
		} else if n == len(trials) {
			name := fmt.Sprintf("run %d", n+1)
			trials, before = append(trials, hpm.Trial{Name: name, Run: name}), haxbyRest
		}
		t := &trials[len(trials)-1]
		t.Images++
		if label := cells[0]; label != haxbyRest && label != before {
			t.Onsets = append(t.Onsets, hpm.Onset{Process: label, Image: t.Images})
			kinds = append(kinds, label)
		}
		before = cells[0]
	}
	slices.Sort(kinds)
	var processes []hpm.Process
	for _, name := range slices.Compact(kinds) {
		processes = append(processes, hpm.Process{Name: name, Length: haxbyLength})
	}
	return trials, processes, nil
}
