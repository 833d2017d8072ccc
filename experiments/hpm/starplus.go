package hpm

import (
	"context"
	"strings"

	"bnlab/bnkit/hpm"
	"bnlab/datasets"
	"bnlab/experiments/run"
)

// Files of the StarPlus study, subject 04847: signals of voxels, and means over seven regions with the places of the
// voxels.
const (
	voxelFile = "starplus/data-starplus-04847-v7.mat"
	meansFile = "starplus/matlab_avergage_rois_04847.mat"
)

// loadVoxels reads the voxels when the user has them. The file has no checksum to go by, so it is not fetched, and what
// was read is compared with what N06 says of it.
func loadVoxels(ctx context.Context, job *run.Job, s *Source, c Config, p published) error {
	path, err := file(ctx, job, voxelFile, &datasets.Settings{Offline: true})
	if err != nil {
		return err
	}
	l, err := hpm.StarPlus{}.Read(path)
	if err != nil {
		return err
	}
	s.read(job, l)
	s.Study.Sides = sidesOf(s.Study.Voxels)
	calc := 0
	for _, v := range s.Study.Voxels {
		if v.Region == focus {
			calc++
		}
	}
	s.Facts = append(s.Facts, count("voxels", p.whole.size, len(s.Study.Voxels)),
		count("voxels of "+focus, p.table3[0].size, calc))
	if err := s.verify(); err != nil || c.Regions == nil {
		return err
	}
	s.Study, err = s.Study.Region(c.Regions...)
	return err
}

// loadROI reads the means. The seven are the voxels of one region, at the centres of theirs, so that a shared model is
// one shape for all seven.
func loadROI(ctx context.Context, job *run.Job, s *Source, c Config, p published) error {
	path, err := file(ctx, job, meansFile, nil)
	if err != nil {
		return err
	}
	l, err := hpm.StarPlus{}.Read(path)
	if err != nil {
		return err
	}
	s.read(job, l)
	for v := range s.Study.Voxels {
		at := &s.Study.Voxels[v]
		s.names = append(s.names, at.Region)
		at.Region = meansRegion
	}
	s.Facts = append(s.Facts, count("regions", 7, len(s.names)))
	return s.verify()
}

// meansRegion is the one region whose voxels are the means.
const meansRegion = "seven regions"

// read takes over a study and tells the user of it; the 54 trials of the file are checked by its reader, which warns.
func (s *Source) read(job *run.Job, l *hpm.Loaded) {
	job.Progress(strings.ReplaceAll(strings.TrimSpace(l.String()), "\n", "; "), 1, 1)
	s.Study = l.Study
	first := 0
	for _, t := range s.Study.Trials {
		if t.Onsets[0].Process == sentence {
			first++
		}
	}
	s.Facts = []fact{count("trials with both stimuli", 40, len(s.Study.Trials)),
		count("trials with the sentence first", 20, first)}
	for _, w := range l.Warnings {
		s.Facts = append(s.Facts, fact{what: "warning of the reader", found: w})
	}
}
