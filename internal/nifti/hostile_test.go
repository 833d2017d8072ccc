package nifti

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"bnlab/internal/nifti/niftitest"
)

// TestTruncated cuts a file at each byte, plain and compressed.
func TestTruncated(t *testing.T) {
	for _, whole := range [][]byte{sample().File(), niftitest.Gzip(sample().File())} {
		for n := range whole {
			r, err := NewReader(bytes.NewReader(whole[:n]))
			if err == nil {
				_, err = all(r, nil)
			}
			if at := (*FormatError)(nil); !errors.As(err, &at) || !errors.Is(err, ErrTruncated) {
				t.Errorf("cut at %d of %d: error %v", n, len(whole), err)
			}
		}
	}
}

// TestDamaged says what is wrong and where.
func TestDamaged(t *testing.T) {
	nan := float32(math.NaN())
	tests := []struct {
		name   string
		change func(*niftitest.Image)
		is     error
		want   string // part of the message
	}{
		{"ANALYZE", func(m *niftitest.Image) { m.Magic = "\x00\x00\x00\x00" }, ErrNotNIfTI,
			"byte 344: not a NIfTI-1 file"},
		{"a pair", func(m *niftitest.Image) { m.Magic = "ni1\x00" }, ErrUnsupported, "open its file by name"},
		{"no dimensions", func(m *niftitest.Image) { m.Dims = nil }, ErrFormat, "byte 40: damaged: 0 dimensions"},
		{"eight dimensions", func(m *niftitest.Image) { m.Dims = []int{1, 1, 1, 1, 1, 1, 1, 1} }, ErrFormat,
			"8 dimensions"},
		{"a size of 0", func(m *niftitest.Image) { m.Dims[1] = 0 }, ErrFormat,
			"byte 44: damaged: a size of 0 along axis 2"},
		{"a size below 0", func(m *niftitest.Image) { m.Dims[2] = -1 }, ErrFormat, "a size of -1 along axis 3"},
		{"five dimensions", func(m *niftitest.Image) { m.Dims = []int{2, 1, 1, 1, 3} }, ErrUnsupported,
			"a fifth dimension or more, of size 3"},
		{"sizes beyond all bounds", func(m *niftitest.Image) { m.Dims = []int{32767, 32767, 32767, 32767} }, ErrLimit,
			"32767 × 32767 × 32767 voxels"},
		{"complex", func(m *niftitest.Image) { m.Datatype = 32 }, ErrUnsupported,
			"byte 70: not read by this package: numbers of type complex64"},
		{"no type", func(m *niftitest.Image) { m.Datatype = 0 }, ErrUnsupported, "type 0"},
		{"bits of another type", func(m *niftitest.Image) { m.Bits = 16 }, ErrFormat,
			"byte 72: damaged: bitpix is 16 where float32 has 32"},
		{"images inside the header", func(m *niftitest.Image) { m.Offset = 0 }, ErrFormat,
			"byte 108: damaged: vox_offset is 0"},
		{"half an offset", func(m *niftitest.Image) { m.Offset = 352.5 }, ErrFormat, "vox_offset is 352.5"},
		{"an offset that is none", func(m *niftitest.Image) { m.Offset = nan }, ErrFormat, "vox_offset is NaN"},
		{"an infinite slope", func(m *niftitest.Image) { m.Slope = float32(math.Inf(-1)) }, ErrFormat,
			"byte 112: damaged: scaling by -Inf"},
		{"an intercept that is none", func(m *niftitest.Image) { m.Slope, m.Intercept = 1, nan }, ErrFormat,
			"scaling by 1 and NaN"},
		{"an unknown unit", func(m *niftitest.Image) { m.Units = 56 }, ErrFormat, "xyzt_units is 56"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := sample()
			test.change(&m)
			b := m.Header()
			_, err := NewReader(bytes.NewReader(append(b, make([]byte, 100)...)))
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want one that wraps %v and says %s", err, test.is, test.want)
			}
		})
	}
	for name, first := range map[string][]byte{"NIfTI-2": {540 & 0xff, 540 >> 8, 0, 0},
		"NIfTI-2, the other order": {0, 0, 540 >> 8, 540 & 0xff}} {
		_, err := NewReader(bytes.NewReader(append(first, make([]byte, 400)...)))
		if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "NIfTI-2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewReader(strings.NewReader(strings.Repeat("text", 100))); !errors.Is(err, ErrNotNIfTI) {
		t.Errorf("text: %v", err)
	}
	z := niftitest.Gzip(sample().File())
	z[len(z)-5] ^= 1 // the checksum
	r, err := NewReader(bytes.NewReader(z))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(r, nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "checksum") ||
		!strings.Contains(err.Error(), fmt.Sprintf(", image %d:", r.Header.Images)) {
		t.Errorf("wrong checksum: %v", err)
	}
}

// TestMemory: what a header claims costs nothing, and of a bomb only the voxels
// asked for are kept.
func TestMemory(t *testing.T) {
	claim := sample()
	claim.Dims = []int{400, 400, 400, 32767}
	bomb := sample()
	bomb.Dims, bomb.Numbers = []int{256, 256, 64}, make([]float32, 1<<22)
	for name, file := range map[string][]byte{"claim": claim.File(), "bomb": niftitest.Gzip(bomb.File())} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := NewReader(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			x, err := r.Next(nil, []int{3, 1 << 21})
			if name == "claim" && !errors.Is(err, ErrTruncated) || name == "bomb" && (err != nil || len(x) != 2) {
				t.Errorf("%v, %v", x, err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<19 {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
}

// FuzzReader looks for input that makes the reader panic, or give images of a size other
// than the header's.
func FuzzReader(f *testing.F) {
	f.Add(sample().File())
	f.Add(niftitest.Gzip(sample().File()))
	scaled := sample()
	scaled.Dims, scaled.Datatype, scaled.Bits, scaled.Numbers, scaled.Slope = []int{3}, int(Int16), 16,
		[]int16{1, 2, 3}, 2
	f.Add(scaled.File())
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file))
		for i := 0; err == nil; i++ {
			var x []float64
			x, err = r.Next(nil, nil)
			if err == nil && len(x) != r.Header.Voxels() || err == io.EOF && i != r.Header.Images {
				t.Fatalf("%d values of an image of %d voxels, %d images of %d, %v", len(x), r.Header.Voxels(), i,
					r.Header.Images, err)
			}
		}
		if at := (*FormatError)(nil); err != io.EOF && !errors.As(err, &at) {
			t.Fatalf("error %v of type %T", err, err)
		}
	})
}
