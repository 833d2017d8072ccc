package nifti

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"

	"bnlab/internal/say"
)

// MaxVoxels bounds the voxels of an image, x × y × z: 400 in each direction.
const MaxVoxels = 1 << 26

// A Header says what a file holds.
type Header struct {
	X, Y, Z  int // voxels of an image along its axes
	Images   int // images in time; 1 of a mask or an atlas
	Datatype Datatype
	// Slope and Intercept turn stored numbers into values, Slope × number + Intercept.
	// They are 1 and 0 when the file has no scaling.
	Slope, Intercept float64
	// Step is what the file says of the time between images and TimeUnit in what: "s",
	// "ms", "µs", "" for unknown, or "no time" when the fourth axis is not time.
	Step     float64
	TimeUnit string
	// Affine takes a voxel (x, y, z, 1), counted from 0, to millimetres.
	Affine [3][4]float64
	// Oriented reports that the file says where the head lies: without that Affine is sizes of voxels alone.
	Oriented bool
	// Description is free text, often the program that wrote the file.
	Description string

	order  binary.ByteOrder
	offset int64 // of the first number in the file that has them
	pair   bool  // the numbers are in a file of their own
}

// Voxels returns the number of voxels of an image.
func (h *Header) Voxels() int { return h.X * h.Y * h.Z }

// Place returns the place of a voxel of an image, counted from 0.
func (h *Header) Place(voxel int) (x, y, z int) {
	return voxel % h.X, voxel / h.X % h.Y, voxel / (h.X * h.Y)
}

// SameGrid reports whether two images have the same voxels, by number.
func (h *Header) SameGrid(o *Header) bool { return h.X == o.X && h.Y == o.Y && h.Z == o.Z }

// Seconds returns the time between images, or an error when the file does not say it.
func (h *Header) Seconds() (float64, error) {
	inSecond, known := map[string]float64{"s": 1, "ms": 1e3, "µs": 1e6}[h.TimeUnit]
	if !known || !(h.Step > 0) || math.IsInf(h.Step, 1) {
		unit := h.TimeUnit
		if unit == "" {
			unit = "unknown"
		}
		return 0, say.Errorf("nifti: the header does not say the seconds between images (pixdim[4] is %v, its unit "+
			"%s); give the repetition time", h.Step, unit)
	}
	// A float32 of 2.2 s is to be 2.2 s, as a side-car has it: what was written in few digits.
	step, err := strconv.ParseFloat(strconv.FormatFloat(h.Step, 'g', -1, 32), 64)
	return step / inSecond, err
}

// headerSize is the length of a NIfTI-1 header.
const headerSize = 348

// parse reads a header. Positions are those of nifti1.h.
func parse(b []byte) (*Header, error) {
	h := &Header{}
	switch size := binary.LittleEndian.Uint32(b); size {
	case headerSize:
		h.order = binary.LittleEndian
	case 0x5c010000:
		h.order = binary.BigEndian
	case 540, 0x1c020000:
		return nil, wrong(0, ErrUnsupported, "this is NIfTI-2; convert it, as with nifti_convert_datatype or nibabel")
	default:
		return nil, wrong(0, ErrNotNIfTI, "the first number is %d, not %d", size, headerSize)
	}
	switch string(b[344:348]) {
	case "n+1\x00":
	case "ni1\x00":
		h.pair = true
	default:
		return nil, wrong(344, ErrNotNIfTI, "the header ends in %q, not in n+1 or ni1; it may be ANALYZE 7.5, which "+
			"has no orientation: convert it", b[344:348])
	}
	if err := h.sizes(b); err != nil {
		return nil, err
	}
	h.Datatype = Datatype(h.short(b, 70))
	if h.Datatype.Width() == 0 {
		return nil, wrong(70, ErrUnsupported, "numbers of type %v", h.Datatype)
	}
	if bits := h.short(b, 72); bits != 8*h.Datatype.Width() {
		return nil, wrong(72, ErrFormat, "bitpix is %d where %v has %d", bits, h.Datatype, 8*h.Datatype.Width())
	}
	least := 0.0
	if !h.pair {
		least = headerSize + 4
	}
	offset := h.float(b, 108)
	if !(offset >= least && offset <= math.MaxInt32 && offset == math.Trunc(offset)) {
		return nil, wrong(108, ErrFormat, "vox_offset is %v; the numbers begin at byte %v or after", offset, least)
	}
	h.offset = int64(offset)
	// A slope of 0 means no scaling; some programs write NaN for it.
	h.Slope, h.Intercept = h.float(b, 112), h.float(b, 116)
	if h.Slope == 0 || math.IsNaN(h.Slope) {
		h.Slope, h.Intercept = 1, 0
	}
	if math.IsInf(h.Slope, 0) || math.IsInf(h.Intercept, 0) || math.IsNaN(h.Intercept) {
		return nil, wrong(112, ErrFormat, "scaling by %v and %v", h.Slope, h.Intercept)
	}
	h.Step = h.float(b, 92)
	units := map[byte]string{0: "", 8: "s", 16: "ms", 24: "µs", 32: "no time", 40: "no time", 48: "no time"}
	var known bool
	if h.TimeUnit, known = units[b[123]&0x38]; !known {
		return nil, wrong(123, ErrFormat, "xyzt_units is %d", b[123])
	}
	text, _, _ := bytes.Cut(b[148:228], []byte{0})
	h.Description = string(text)
	h.Affine = h.affine(b)
	h.Oriented = h.short(b, 252) > 0 || h.short(b, 254) > 0
	return h, nil
}

// sizes reads dim: how many dimensions, then their sizes.
func (h *Header) sizes(b []byte) error {
	n := h.short(b, 40)
	if n < 1 || n > 7 {
		return wrong(40, ErrFormat, "%d dimensions", n)
	}
	size := [8]int{0, 1, 1, 1, 1, 1, 1, 1}
	for i := 1; i <= n; i++ {
		size[i] = h.short(b, 40+2*i)
		if size[i] < 1 {
			return wrong(int64(40+2*i), ErrFormat, "a size of %d along axis %d", size[i], i)
		}
		if i > 4 && size[i] > 1 {
			return wrong(int64(40+2*i), ErrUnsupported, "a fifth dimension or more, of size %d", size[i])
		}
	}
	h.X, h.Y, h.Z, h.Images = size[1], size[2], size[3], size[4]
	if h.Voxels() > MaxVoxels { // at most 2^45
		return wrong(40, ErrLimit, "%d × %d × %d voxels; the most is %d", h.X, h.Y, h.Z, MaxVoxels)
	}
	return nil
}

func (h *Header) short(b []byte, at int) int { return int(int16(h.order.Uint16(b[at:]))) }

func (h *Header) float(b []byte, at int) float64 {
	return float64(math.Float32frombits(h.order.Uint32(b[at:])))
}
