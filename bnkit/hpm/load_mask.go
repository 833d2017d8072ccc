package hpm

import (
	"fmt"
	"math"
	"slices"

	"bnlab/internal/english"
	"bnlab/internal/nifti"
	"bnlab/internal/say"
)

// grid takes voxels from mask and atlas at the first run, and demands the same shape of others. It
// charges their signal before there is memory for it: a header may claim any size.
func (l *niftiLoader) grid(h *nifti.Header, bold string) error {
	if l.first != nil {
		if err := l.fits(h, bold); err != nil {
			return err
		}
		return l.charge(len(l.Voxels), h.Images)
	}
	l.first = h
	var mask, atlas []float64
	var err error
	if l.set.Mask != "" {
		if mask, err = l.image(l.set.Mask); err != nil {
			return err
		}
	}
	if l.set.Atlas != "" {
		if atlas, err = l.image(l.set.Atlas); err != nil {
			return err
		}
	}
	if mask == nil && atlas == nil {
		l.warn("there is no mask: all %d voxels are taken, those outside the brain too", h.Voxels())
	}
	inMask := func(v int) bool { return mask == nil || mask[v] != 0 && !math.IsNaN(mask[v]) }
	labelled := func(v int) bool { return atlas == nil || atlas[v] != 0 && !math.IsNaN(atlas[v]) }
	kept, outside := 0, 0
	for v := range h.Voxels() {
		switch {
		case !inMask(v):
		case labelled(v):
			kept++
		default:
			outside++
		}
	}
	if kept == 0 {
		return say.Errorf("no voxel is left by mask %q and atlas %q; they have to hold other numbers than 0",
			l.set.Mask, l.set.Atlas)
	}
	l.bytes = placeBytes * int64(kept)
	if err := l.charge(kept, h.Images); err != nil {
		return err
	}
	l.Voxels, l.voxels = make([]Voxel, 0, kept), make([]int, 0, kept)
	for v := range h.Voxels() {
		if !inMask(v) || !labelled(v) {
			continue
		}
		x, y, z := h.Place(v)
		region := ""
		if atlas != nil {
			label := atlas[v]
			if label != math.Trunc(label) || math.Abs(label) > math.MaxInt32 {
				return say.Errorf("%s: voxel (%d, %d, %d) has the label %v; an atlas holds whole numbers, a "+
					"probability map is none", l.set.Atlas, x, y, z, label)
			}
			if region = l.set.Labels[int(label)]; region == "" {
				region = fmt.Sprintf("region %d", int(label))
			}
		}
		l.Voxels = append(l.Voxels, Voxel{X: x, Y: y, Z: z, Region: region})
		l.voxels = append(l.voxels, v)
	}
	if mask != nil && outside > 0 {
		l.warn("%s of the mask without a label in the atlas left out", english.Count(outside, "voxel"))
	}
	return nil
}

// placeBytes is the memory of a Voxel and its number.
const placeBytes = 48

// charge takes the signal of a run from the memory that is allowed.
func (l *niftiLoader) charge(voxels, images int) error {
	if l.bytes += 8 * int64(images) * int64(voxels); l.bytes > l.set.MaxBytes {
		return fmt.Errorf("the signal of %d voxels takes more than the %d bytes that MaxBytes allows; give a smaller "+
			"mask", voxels, l.set.MaxBytes)
	}
	return nil
}

// image reads a mask or an atlas.
func (l *niftiLoader) image(path string) ([]float64, error) {
	_, values, err := nifti.ReadImage(path, func(h *nifti.Header) error {
		if err := l.fits(h, path); err != nil {
			return err
		}
		if most := max(l.set.MaxBytes/8, leastImage); 8*int64(h.Voxels()) > most {
			return say.Errorf("%w: %s: %d voxels take more than %d bytes, an eighth of MaxBytes; raise it if they "+
				"are meant",
				nifti.ErrLimit, path, h.Voxels(), most)
		}
		return nil
	})
	return values, err
}

// leastImage is what a mask or an atlas may take however small MaxBytes is.
const leastImage = 64 << 20

// fits compares a file with the first run.
func (l *niftiLoader) fits(h *nifti.Header, path string) error {
	if !h.SameGrid(l.first) {
		return say.Errorf("%s has %d × %d × %d voxels and the images of the first run %d × %d × %d; resample it to "+
			"their grid",
			path, h.X, h.Y, h.Z, l.first.X, l.first.Y, l.first.Z)
	}
	if !h.SameSpace(l.first) {
		l.warn("%s has the grid of the first run's images but another place or direction in space; voxels are "+
			"matched by number", path)
	}
	return nil
}

// spoiltVoxels leaves out voxels that hold what no fit can use, or never change.
func (l *niftiLoader) spoiltVoxels() error {
	spoilt := make([]bool, len(l.Voxels))
	for _, t := range l.Trials {
		for i, x := range t.Data {
			if !usable(x) {
				spoilt[i%len(l.Voxels)] = true
			}
		}
	}
	var keep []int
	var notFinite, constant []string
	runs := l.Study.LeaveOneRunOut()
	for v := range l.Voxels {
		switch {
		case spoilt[v]:
			notFinite = append(notFinite, l.voxelName(v))
		case l.constant(v, runs):
			constant = append(constant, l.voxelName(v))
		default:
			keep = append(keep, v)
		}
	}
	if notFinite != nil {
		l.warn("%s left out, NaN or infinite in an image: %s", english.Count(len(notFinite), "voxel"),
			atMost(10, notFinite))
	}
	if constant != nil {
		l.warn("%s left out, constant within each run: %s", english.Count(len(constant), "voxel"), atMost(10, constant))
	}
	if keep == nil {
		return say.Errorf("hpm: %s: every voxel is constant or not finite; give other images or another mask",
			l.Trials[0].Name)
	}
	if len(keep) < len(l.Voxels) {
		l.Study = l.Select(slices.Clip(keep))
	}
	return nil
}
