package hpm

import (
	"slices"

	"bnlab/internal/say"
)

// Select returns the study with some voxels only, by number and in that order. The
// signal is copied. It panics on a number out of range, and on a trial that has not a row of data
// for each image.
func (s *Study) Select(voxels []int) *Study {
	c := *s
	c.Voxels = pick(s.Voxels, voxels)
	c.Trials = slices.Clone(s.Trials)
	for n := range c.Trials {
		t := &c.Trials[n]
		data := make([]float64, 0, t.Images*len(voxels))
		for image := range t.Images {
			row := t.Data[image*len(s.Voxels):][:len(s.Voxels)]
			for _, v := range voxels {
				data = append(data, row[v])
			}
		}
		t.Data = data
		if t.VoxelOnsets != nil {
			t.VoxelOnsets = pick(t.VoxelOnsets, voxels)
		}
	}
	return &c
}

// Region returns the study with the voxels of some regions only. It returns an error for a region
// without voxels, and a trial that has not a row of data for each image.
func (s *Study) Region(names ...string) (*Study, error) {
	for n := range s.Trials {
		if err := s.checkShape(n); err != nil {
			return nil, err
		}
	}
	var voxels []int
	for v, at := range s.Voxels {
		if slices.Contains(names, at.Region) {
			voxels = append(voxels, v)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(s.Voxels, func(v Voxel) bool { return v.Region == name }) {
			var known []string
			for _, r := range s.regions() {
				known = append(known, r.name)
			}
			return nil, say.Errorf("hpm: no voxel is in region %q (regions: %s)", name, atMost(40, known))
		}
	}
	return s.Select(voxels), nil
}

// Only returns the study with some trials only, by number and in that order. The signal is
// shared, not copied. It panics on a number out of range.
func (s *Study) Only(trials []int) *Study {
	c := *s
	c.Trials = pick(s.Trials, trials)
	return &c
}

func pick[E any](from []E, numbers []int) []E {
	out := make([]E, len(numbers))
	for i, n := range numbers {
		out[i] = from[n]
	}
	return out
}

// A region is a region of interest with its voxels, in ascending order.
type region struct {
	name   string
	voxels []int
}

// regions are in the order in which voxels name them.
func (s *Study) regions() []region {
	var list []region
	at := make(map[string]int)
	for v, voxel := range s.Voxels {
		i, known := at[voxel.Region]
		if !known {
			i = len(list)
			at[voxel.Region] = i
			list = append(list, region{name: voxel.Region})
		}
		list[i].voxels = append(list[i].voxels, v)
	}
	return list
}
