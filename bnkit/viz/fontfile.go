package viz

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// A fontFile is the path of a font, opened for each reading: a picture needs few of them.
type fontFile string

func (path fontFile) ReadAt(b []byte, at int64) (int, error) {
	f, err := os.Open(string(path))
	if err != nil {
		return 0, err
	}
	n, err := f.ReadAt(b, at)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if n == len(b) && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// A movedFont is the first font of a file whose tables begin anywhere, as those of WenQuanYi Zen Hei do. The standard
// wants them at multiples of four bytes, and package sfnt insists; so they seem to be there.
type movedFont struct {
	file   fontFile
	head   []byte // where the tables are
	tables []movedTable
}

type movedTable struct{ at, from, size int64 }

// moveTables reads where the tables are (OpenType 1.9, "Organization of an OpenType Font").
func moveTables(file fontFile) (*movedFont, error) {
	var first [16]byte
	if _, err := file.ReadAt(first[:], 0); err != nil {
		return nil, err
	}
	begin := int64(0)
	if string(first[:4]) == "ttcf" {
		begin = int64(binary.BigEndian.Uint32(first[12:]))
		if _, err := file.ReadAt(first[:12], begin); err != nil {
			return nil, err
		}
	}
	const head, entry = 12, 16
	n := int(binary.BigEndian.Uint16(first[4:]))
	m := &movedFont{file: file, head: make([]byte, head+entry*n)}
	if _, err := file.ReadAt(m.head, begin); err != nil {
		return nil, err
	}
	at := int64(len(m.head))
	for i := range n {
		of := m.head[head+entry*i:][:entry]
		t := movedTable{at, int64(binary.BigEndian.Uint32(of[8:])), int64(binary.BigEndian.Uint32(of[12:]))}
		m.tables = append(m.tables, t)
		binary.BigEndian.PutUint32(of[8:], uint32(at))
		at += (t.size + 3) / 4 * 4
	}
	return m, nil
}

// ReadAt reads within a table, or where the tables are.
func (m *movedFont) ReadAt(b []byte, at int64) (int, error) {
	end := at + int64(len(b))
	if 0 <= at && end <= int64(len(m.head)) {
		return copy(b, m.head[at:]), nil
	}
	for _, t := range m.tables {
		if t.at <= at && end <= t.at+t.size {
			return m.file.ReadAt(b, t.from+at-t.at)
		}
	}
	return 0, io.ErrUnexpectedEOF
}
