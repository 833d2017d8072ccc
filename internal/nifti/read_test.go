package nifti

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bnlab/internal/nifti/niftitest"
	"bnlab/internal/numtest"
)

// sample is a small image in time, 2 × 3 × 1, of two images.
func sample() niftitest.Image {
	return niftitest.Float32([]float32{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, 2, 3, 1, 2)
}

// all reads every image of a file, the voxels asked for.
func all(r *Reader, voxels []int) (x []float64, err error) {
	for {
		if x, err = r.Next(x, voxels); err == io.EOF {
			return x, nil
		} else if err != nil {
			return x, err
		}
	}
}

// TestDatatypes reads what encoding/binary wrote, in both byte orders, plain and
// compressed, with scaling and without.
func TestDatatypes(t *testing.T) {
	tests := []struct {
		datatype Datatype
		numbers  any
		want     []float64
	}{
		{Uint8, []uint8{0, 255}, []float64{0, 255}},
		{Int8, []int8{-128, 127}, []float64{-128, 127}},
		{Int16, []int16{-32768, 7}, []float64{-32768, 7}},
		{Uint16, []uint16{65535, 7}, []float64{65535, 7}},
		{Int32, []int32{math.MinInt32, 7}, []float64{math.MinInt32, 7}},
		{Uint32, []uint32{math.MaxUint32, 7}, []float64{math.MaxUint32, 7}},
		{Int64, []int64{-1 << 53, 7}, []float64{-1 << 53, 7}},
		{Uint64, []uint64{1 << 53, 7}, []float64{1 << 53, 7}},
		{Float32, []float32{-0.5, math.MaxFloat32}, []float64{-0.5, math.MaxFloat32}},
		{Float64, []float64{math.Pi, -1e300}, []float64{math.Pi, -1e300}},
	}
	for _, test := range tests {
		m := sample()
		m.Dims, m.Datatype, m.Bits, m.Numbers = []int{2}, int(test.datatype), 8*test.datatype.Width(), test.numbers
		for _, big := range []bool{false, true} {
			for _, scaled := range []bool{false, true} {
				for _, gz := range []bool{false, true} {
					t.Run(fmt.Sprintf("%v big=%v scaled=%v gz=%v", test.datatype, big, scaled, gz), func(t *testing.T) {
						m, want := m, slices.Clone(test.want)
						if big {
							m.Order = binary.BigEndian
						}
						if scaled {
							m.Slope, m.Intercept = 0.5, 3
							for i, x := range want {
								want[i] = x*0.5 + 3
							}
						}
						file := m.File()
						if gz {
							file = niftitest.Gzip(file)
						}
						r, err := NewReader(bytes.NewReader(file))
						if err != nil {
							t.Fatal(err)
						}
						if got, err := all(r, nil); err != nil || !slices.Equal(got, want) {
							t.Errorf("got %v, %v; want %v", got, err, want)
						}
					})
				}
			}
		}
	}
}

func TestHeader(t *testing.T) {
	m := sample()
	m.Slope = float32(math.NaN()) // no scaling, as some programs say it
	m.Offset = 368                // an extension comes first
	r, err := NewReader(bytes.NewReader(m.File()))
	if err != nil {
		t.Fatal(err)
	}
	h := r.Header
	if h.X != 2 || h.Y != 3 || h.Z != 1 || h.Images != 2 || h.Voxels() != 6 || h.Description != "test" ||
		h.Slope != 1 || h.Intercept != 0 {
		t.Errorf("header %+v", h)
	}
	if x, y, z := h.Place(5); x != 1 || y != 2 || z != 0 {
		t.Errorf("voxel 5 is at %d, %d, %d", x, y, z)
	}
	if seconds, err := h.Seconds(); seconds != 2.5 || err != nil {
		t.Errorf("%v s between images, %v", seconds, err)
	}
	// Without orientation the sizes of voxels, 2, 3 and 4 mm, are all there is.
	if want := [3][4]float64{{2}, {0, 3}, {0, 0, 4}}; h.Affine != want {
		t.Errorf("affine %v, want %v", h.Affine, want)
	}
	if x, err := all(r, []int{1, 4}); err != nil || !slices.Equal(x, []float64{2, 5, -2, -5}) {
		t.Errorf("voxels 1 and 4: %v, %v", x, err)
	}
	if _, err := r.Next(nil, nil); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

func TestSeconds(t *testing.T) {
	tests := []struct {
		step  float32
		units byte
		want  float64 // 0: an error
	}{
		{2.2, 8, 2.2}, {2200, 16, 2.2}, {2.2e6, 24, 2.2}, {0.72, 10, 0.72}, {1.0 / 3, 8, 0.33333334}, {1e-5, 24, 1e-11},
		{2.5, 0, 0}, {2.5, 2, 0}, {0, 8, 0}, {-2, 8, 0}, {float32(math.NaN()), 8, 0}, {float32(math.Inf(1)), 8, 0},
		{2, 32, 0},
	}
	for _, test := range tests {
		m := sample()
		m.Step, m.Units = test.step, test.units
		r, err := NewReader(bytes.NewReader(m.File()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Header.Seconds()
		if (err != nil) != (test.want == 0) {
			t.Errorf("%v in unit %d: error %v", test.step, test.units, err)
		}
		numtest.Close(t, got, test.want, 0, 1e-15) // the number that was written, not the nearest float32
	}
}

// TestPair reads .hdr and .img from either name.
func TestPair(t *testing.T) {
	m := sample()
	m.Magic, m.Offset = "ni1\x00", 16
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	paths := []string{
		write("a.hdr", m.Header()), write("a.img", append(make([]byte, 16), m.Body()...)),
		write("b.hdr.gz", niftitest.Gzip(m.Header())),
		write("b.img.gz", niftitest.Gzip(append(make([]byte, 16), m.Body()...))),
	}
	for _, path := range paths {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := all(r, nil); err != nil || !slices.Equal(x, []float64{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}) {
			t.Errorf("%s: %v, %v", path, x, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	alone := write("alone.hdr", m.Header())
	if _, err := Open(alone); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without .img: %v", err)
	}
	for _, path := range []string{write("c.hdr", sample().File()), write("c.nii", m.Header())} {
		if _, err := Open(path); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", path, err)
		}
	}
	short := write("short.hdr", m.Header())
	write("short.img", make([]byte, 20))
	r, err := Open(short)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := "nifti: " + filepath.Join(dir, "short.img") +
		": byte 20, image 1: the data end early: 20 bytes more are wanted"
	if _, err := all(r, nil); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReadImage reads a mask, and refuses what is not one.
func TestReadImage(t *testing.T) {
	m := sample()
	dir := t.TempDir()
	several := filepath.Join(dir, "several.nii")
	m.Dims = []int{2, 3, 2, 1}
	one := filepath.Join(dir, "one.nii.gz")
	if err := errors.Join(os.WriteFile(several, sample().File(), 0o600), os.WriteFile(one, niftitest.Gzip(m.File()),
		0o600)); err != nil {
		t.Fatal(err)
	}
	h, x, err := ReadImage(one, nil)
	if err != nil || len(x) != 12 || x[11] != -6 || h.Z != 2 {
		t.Errorf("%v, %v, %v", h, x, err)
	}
	if _, _, err := ReadImage(several, nil); !errors.Is(err, ErrFormat) {
		t.Errorf("several images: %v", err)
	}
}
