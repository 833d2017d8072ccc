package nifti

import (
	"io"
	"math"
	"slices"
	"testing"

	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// TestHaxby reads files that FSL wrote. Facts about them: 12 runs of 121 images every 2.5 s,
// a mask of 530 voxels; run 1 is also a file of its own.
func TestHaxby(t *testing.T) {
	h, mask, err := ReadImage(datatest.Path(t, "haxby/mask.nii.gz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var voxels []int
	for v, x := range mask {
		if x != 0 {
			voxels = append(voxels, v)
		}
	}
	if len(voxels) != 530 || h.Voxels() != 800 {
		t.Errorf("%d voxels of %d in the mask, want 530 of 800", len(voxels), h.Voxels())
	}
	r, err := Open(datatest.Path(t, "haxby/bold.nii.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if seconds, err := r.Header.Seconds(); seconds != 2.5 || err != nil || r.Header.Images != 12*121 ||
		!h.SameGrid(r.Header) || !h.SameSpace(r.Header) {
		t.Errorf("%v s, %v, %+v", seconds, err, r.Header)
	}
	x, err := all(r, voxels)
	if err != nil {
		t.Fatal(err)
	}
	least, most := math.Inf(1), 0.0
	for v := range voxels {
		mean := 0.0
		for i := v; i < len(x); i += len(voxels) {
			mean += x[i] / (12 * 121)
		}
		least, most = min(least, mean), max(most, mean)
	}
	// Python's gzip and array modules give these means.
	numtest.Close(t, least, 168.52341597796143, 0, 1e-12)
	numtest.Close(t, most, 2474.40564738292, 0, 1e-12)

	run, err := Open(datatest.Path(t, "haxby/sub001/run01/bold_1slice.nii.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if alone, err := all(run, voxels); err != nil || !slices.Equal(alone, x[:121*530]) {
		t.Errorf("run 1 differs from the first 121 images (%v)", err)
	}
}

// TestRotation compares the two descriptions of orientation in the same header, which
// FSL wrote: the quaternion must give the general matrix.
func TestRotation(t *testing.T) {
	for _, path := range []string{datatest.Path(t, "haxby/bold.nii.gz"),
		datatest.Path(t, "haxby/sub001/masks/vt.nii.gz")} {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, headerSize)
		again := &Reader{}
		if err := again.file(path); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(again.src, b); err != nil {
			t.Fatal(err)
		}
		got := r.Header.rotation(b)
		for row := range 3 {
			for column := range 4 {
				numtest.Close(t, got[row][column], r.Header.Affine[row][column], 1e-5, 1e-6)
			}
		}
		r.Close()
		again.Close()
	}
}

func BenchmarkRead(b *testing.B) {
	path := datatest.Path(b, "haxby/bold.nii.gz")
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		var x []float64
		for range r.Header.Images {
			if x, err = r.Next(x[:0], nil); err != nil {
				b.Fatal(err)
			}
		}
		r.Close()
	}
}
