package format

import (
	"io"
	"os"
	"slices"

	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// The types of package netdoc, which the packages of the formats share.
type (
	// A File is a network with what its file holds beside it.
	File = netdoc.File
	// A SyntaxError is the error of all readers of text: File, Line and Column say where it is not
	// what it should be, and Err says why. Errors that the cause wraps, such as [bn.ErrUnknownState] or
	// [*bn.CycleError], are found by errors.Is and errors.As.
	SyntaxError = textpos.Error
)

// Errors that are found by errors.Is.
var (
	// ErrUnsupported: decisions, classes, equations, encrypted files.
	ErrUnsupported = netdoc.ErrUnsupported
)

// A Reader reads network files. The zero value is what Read uses.
type Reader struct {
	// MaxBytes is the size above which a file is refused, 0 meaning 256 MB.
	MaxBytes int64
	// MaxCells is how many entries of tables a file may leave unsaid, as rows by default and tables of
	// noisy-MAX nodes, 0 meaning 2^22 (32 MB).
	MaxCells int
}

// Read reads the named file, in the format of its extension; where that is none of a
// network format, in the one that the file's first word shows. An error in the text is a
// [*SyntaxError] and names the file, line and column.
func Read(path string) (*File, error) { return Reader{}.Read(path) }

// Read reads the named file; see the function [Read].
func (r Reader) Read(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("format: %w", err)
	}
	defer file.Close()
	var size int64 // a hint only: pipes have none
	if info, err := file.Stat(); err == nil {
		size = info.Size()
	}
	src, err := netdoc.ReadAll(file, size, r.MaxBytes)
	if err != nil {
		return nil, say.Errorf("format: reading %s: %w", path, err)
	}
	format, err := byExtension(path)
	if err != nil {
		if format, err = byContent(src); err != nil {
			return nil, say.Errorf("format: reading %s: %w", path, err)
		}
	}
	f, err := format.Parse(src, r.MaxCells)
	textpos.Name(err, path)
	return f, err
}

// Write writes the file in the format of its extension. It returns sentences on what the
// format has no place for, empty when nothing is lost. A noisy-MAX node whose table has more than a million
// entries is an error in formats without such nodes ([bn.ErrTooLarge]). The file is afterwards either
// complete or as it was before.
func Write(path string, f *File) (lost []string, err error) {
	format, err := byExtension(path)
	if err == nil && format.Write == nil {
		err = say.Errorf("%s is only read; choose another format, such as %s", format.Name, formats()[0].Extensions[0])
	}
	if err == nil && f != nil && f.Network != nil && !slices.Contains(format.Extensions, ".xdsl") {
		err = f.CheckNoisy()
	}
	if err != nil {
		return nil, say.Errorf("format: writing %s: %w", path, err)
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		lost, err = format.Write(w, f)
		return err
	})
	if err != nil {
		return nil, say.Errorf("format: %w", err)
	}
	return lost, nil
}
