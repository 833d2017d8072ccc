package pdf

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/image/font/sfnt"
)

// errFont is returned for a font without TrueType outlines, and for a damaged one.
var errFont = errors.New("pdf: the font has no TrueType outlines")

// subset returns a TrueType font with the outlines of some glyphs, and of those that they are composed of; numbers of
// glyphs stay (OpenType 1.9, "glyf" and "loca").
func subset(font []byte, glyphs []sfnt.GlyphIndex) ([]byte, error) {
	tables, err := tablesOf(font)
	if err != nil {
		return nil, err
	}
	head, loca, glyf, maxp := tables["head"], tables["loca"], tables["glyf"], tables["maxp"]
	if len(head) < 54 || len(maxp) < 6 || glyf == nil {
		return nil, errFont
	}
	long := binary.BigEndian.Uint16(head[50:]) != 0
	n := int(binary.BigEndian.Uint16(maxp[4:]))
	if width := 2; len(loca) < (n+1)*width || long && len(loca) < (n+1)*4 {
		return nil, errFont
	}
	outline := func(g int) []byte {
		var from, to int
		if long {
			from, to = int(binary.BigEndian.Uint32(loca[4*g:])), int(binary.BigEndian.Uint32(loca[4*g+4:]))
		} else {
			from, to = 2*int(binary.BigEndian.Uint16(loca[2*g:])), 2*int(binary.BigEndian.Uint16(loca[2*g+2:]))
		}
		if from < 0 || from > to || to > len(glyf) {
			return nil
		}
		return glyf[from:to]
	}
	keep := make([]bool, n)
	var add func(g int)
	add = func(g int) {
		if g >= n || keep[g] {
			return
		}
		keep[g] = true
		for _, part := range partsOf(outline(g)) {
			add(part)
		}
	}
	add(0) // the box for a letter that is lacking
	for _, g := range glyphs {
		add(int(g))
	}
	var kept, places []byte
	for g := range n {
		places = binary.BigEndian.AppendUint32(places, uint32(len(kept)))
		if keep[g] {
			kept = append(kept, outline(g)...)
			for len(kept)%4 != 0 {
				kept = append(kept, 0)
			}
		}
	}
	places = binary.BigEndian.AppendUint32(places, uint32(len(kept)))
	head = slices.Clone(head)
	binary.BigEndian.PutUint16(head[50:], 1) // places have four bytes
	out := map[string][]byte{"glyf": kept, "loca": places, "head": head, "maxp": maxp}
	for _, name := range []string{"hhea", "hmtx", "cvt ", "fpgm", "prep"} {
		if t := tables[name]; t != nil {
			out[name] = t
		}
	}
	return assembled(out), nil
}

// tablesOf are the tables of a font by their names.
func tablesOf(font []byte) (map[string][]byte, error) {
	const header, entry = 12, 16
	if len(font) < header || binary.BigEndian.Uint32(font) != 0x00010000 {
		return nil, errFont
	}
	tables := make(map[string][]byte)
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		if header+entry*(i+1) > len(font) {
			return nil, errFont
		}
		e := font[header+entry*i:]
		from, size := int(binary.BigEndian.Uint32(e[8:])), int(binary.BigEndian.Uint32(e[12:]))
		if from < 0 || size < 0 || from > len(font) || size > len(font)-from {
			return nil, errFont
		}
		tables[string(e[:4])] = font[from : from+size]
	}
	return tables, nil
}

// partsOf are the glyphs that a glyph is composed of; none of a simple one.
func partsOf(outline []byte) (parts []int) {
	const (
		wordArguments = 1 << 0
		oneScale      = 1 << 3
		more          = 1 << 5
		twoScales     = 1 << 6
		matrix        = 1 << 7
	)
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	for at := 10; at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		parts = append(parts, int(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			break
		}
	}
	return parts
}

// assembled is a font of tables, with their sums.
func assembled(tables map[string][]byte) []byte {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	power, log := 1, 0
	for 2*power <= len(names) {
		power, log = 2*power, log+1
	}
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, x := range []int{len(names), 16 * power, log, 16 * (len(names) - power)} {
		out = binary.BigEndian.AppendUint16(out, uint16(x))
	}
	var body []byte
	begin := 12 + 16*len(names)
	for _, name := range names {
		t := tables[name]
		out = append(out, name...)
		for _, x := range []uint32{sum(t), uint32(begin + len(body)), uint32(len(t))} {
			out = binary.BigEndian.AppendUint32(out, x)
		}
		body = append(body, t...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

// sum adds the words of a table.
func sum(t []byte) (s uint32) {
	for len(t) >= 4 {
		s += binary.BigEndian.Uint32(t)
		t = t[4:]
	}
	var rest [4]byte
	copy(rest[:], t)
	return s + binary.BigEndian.Uint32(rest[:])
}
