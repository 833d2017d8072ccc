package nifti

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// A Reader gives the images of a file, the first first.
type Reader struct {
	Header *Header

	path    string
	src     *counter
	close   []io.Closer
	image   int // images read
	failure error
	buffer  [1 << 15]byte
}

// A counter counts the bytes read from a stream.
type counter struct {
	r  io.Reader
	at int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.at += int64(n)
	return n, err
}

// Open opens a .nii file, or either file of a pair .hdr and .img; each may be compressed by
// gzip, whatever its name says. It returns a [FormatError] that wraps ErrNotNIfTI,
// ErrTruncated, ErrFormat, ErrUnsupported or ErrLimit, or the error of opening the file.
func Open(path string) (*Reader, error) {
	r := &Reader{}
	if err := r.open(path); err != nil {
		r.Close()
		return nil, inFile(err, r.path)
	}
	return r, nil
}

// NewReader reads a .nii file from a stream, compressed by gzip or not.
func NewReader(stream io.Reader) (*Reader, error) {
	r := &Reader{}
	if err := r.start(stream); err != nil {
		return nil, err
	}
	if err := r.header(); err != nil {
		return nil, err
	}
	if r.Header.pair {
		return nil, wrong(344, ErrUnsupported, "the header of a pair; open its file by name")
	}
	return r, r.skip()
}

func (r *Reader) open(path string) error {
	header, images := pair(path)
	if err := r.file(header); err != nil {
		return err
	}
	if err := r.header(); err != nil {
		return err
	}
	switch {
	case !r.Header.pair && header != images:
		return wrong(344, ErrFormat, "the header says that its file holds the images too; rename it to .nii")
	case r.Header.pair && header == images:
		return wrong(344, ErrFormat, "the header is one of a pair; name the files .hdr and .img")
	case r.Header.pair:
		if err := r.file(images); err != nil {
			return err
		}
	}
	return r.skip()
}

// pair returns the two files a path stands for; of a .nii file they are the same.
func pair(path string) (header, images string) {
	for _, gz := range []string{"", ".gz"} {
		for _, end := range []string{".hdr", ".img"} {
			if base, found := strings.CutSuffix(path, end+gz); found {
				return base + ".hdr" + gz, base + ".img" + gz
			}
		}
	}
	return path, path
}

// file makes a file the source.
func (r *Reader) file(path string) error {
	r.path = path
	f, err := os.Open(path)
	if err != nil {
		return say.Errorf("nifti: %w", err)
	}
	r.close = append(r.close, f)
	return r.start(f)
}

// start makes a stream the source, inflated when it is compressed.
func (r *Reader) start(stream io.Reader) error {
	b := bufio.NewReaderSize(stream, 1<<16)
	r.src = &counter{r: b}
	if magic, _ := b.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(b)
		if err != nil {
			return wrong(0, spoilt(err), "%v", err)
		}
		r.src.r = z
	}
	return nil
}

// header reads the header.
func (r *Reader) header() error {
	b := r.buffer[:headerSize]
	if err := r.full(b); err != nil {
		return err
	}
	h, err := parse(b)
	r.Header = h
	return err
}

// skip passes over extensions, up to the first number.
func (r *Reader) skip() error {
	for left := r.Header.offset - r.src.at; left > 0; left = r.Header.offset - r.src.at {
		if err := r.full(r.buffer[:min(left, int64(len(r.buffer)))]); err != nil {
			return err
		}
	}
	return nil
}

// full fills b.
func (r *Reader) full(b []byte) error {
	n, err := io.ReadFull(r.src, b)
	if err == nil {
		return nil
	}
	e := wrong(r.src.at, spoilt(err), "%d bytes more are wanted", len(b)-n)
	if !errors.Is(e, ErrTruncated) {
		e = wrong(r.src.at, ErrFormat, "%v", err)
	}
	return e
}

// spoilt says whether a stream ended or is wrong.
func spoilt(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrTruncated
	}
	return ErrFormat
}

// Next appends the values of the next image to dst and returns it: those of the voxels
// named, or of all when voxels is nil. It panics unless voxels are numbers of voxels in
// ascending order. Floating-point images may hold NaN and infinities, which come as they
// are. After the last image it returns io.EOF. An error stays.
func (r *Reader) Next(dst []float64, voxels []int) ([]float64, error) {
	if r.failure != nil {
		return dst, r.failure
	}
	dst, err := r.next(dst, voxels)
	if at := (*FormatError)(nil); errors.As(err, &at) {
		at.Image = min(r.image+1, r.Header.Images)
		err = inFile(err, r.path)
	}
	r.failure = err
	r.image++
	return dst, err
}

func (r *Reader) next(dst []float64, voxels []int) ([]float64, error) {
	h := r.Header
	if r.image == h.Images {
		// Only at its end does gzip compare the checksum. More bytes may follow.
		if n, err := r.src.Read(r.buffer[:1]); n == 0 && err != io.EOF && err != nil {
			return dst, wrong(r.src.at, spoilt(err), "%v", err)
		}
		return dst, io.EOF
	}
	width := h.Datatype.Width()
	piece := len(r.buffer) / width
	each := h.Voxels()
	if voxels != nil {
		each = len(voxels)
	}
	most := len(dst) + (h.Images-r.image)*each // with all that the file says it holds
	for first := 0; first < h.Voxels(); first += piece {
		n := min(piece, h.Voxels()-first)
		b := r.buffer[:n*width]
		if err := r.full(b); err != nil {
			return dst, err
		}
		if room := cap(dst) - len(dst); room < n && len(dst)+room < most { // no more than has arrived, twice
			dst = slices.Grow(dst, min(max(len(dst), n), most-len(dst)))
		}
		if voxels == nil {
			for ; len(b) > 0; b = b[width:] {
				dst = append(dst, h.Slope*h.Datatype.number(b, h.order)+h.Intercept)
			}
			continue
		}
		for len(voxels) > 0 && voxels[0] < first+n {
			dst = append(dst, h.Slope*h.Datatype.number(b[(voxels[0]-first)*width:], h.order)+h.Intercept)
			voxels = voxels[1:]
		}
	}
	return dst, nil
}

// Close closes the files.
func (r *Reader) Close() error {
	var errs []error
	for _, c := range r.close {
		errs = append(errs, c.Close())
	}
	r.close = nil
	return errors.Join(errs...)
}

// inFile puts the file into an error.
func inFile(err error, path string) error {
	if at := (*FormatError)(nil); errors.As(err, &at) {
		at.File = path
	}
	return err
}

// ImageVoxels is the most voxels that ReadImage takes without being asked: 256 MB of values.
const ImageVoxels = 1 << 25

// ReadImage reads a file of one image, such as a mask or an atlas: the values of all its
// voxels, x fastest. A file of several images is an error. So is one whose header fits refuses, before
// its values take memory: a compressed file may hold a thousand times its size. A nil fits refuses more than
// [ImageVoxels].
func ReadImage(path string, fits func(*Header) error) (*Header, []float64, error) {
	r, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	switch n := r.Header.Voxels(); {
	case r.Header.Images != 1:
		return nil, nil, inFile(wrong(48, ErrFormat, "%d images where one is expected", r.Header.Images), path)
	case fits == nil && n > ImageVoxels:
		return nil, nil, inFile(wrong(40, ErrLimit, "%d voxels; ReadImage takes %d, unless it is told otherwise", n,
			ImageVoxels), path)
	case fits != nil:
		if err := fits(r.Header); err != nil {
			return nil, nil, err
		}
	}
	x, err := r.Next(nil, nil)
	if err == nil {
		_, err = r.Next(nil, nil)
	}
	if err != io.EOF {
		return nil, nil, err
	}
	return r.Header, x, nil
}
