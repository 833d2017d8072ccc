package nb

import (
	"bytes"
	"encoding/binary"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// pngSize tells the notebook to show a picture at its own size, 96 pixels to the inch,
// where its file says how fine its pixels are; nil where it does not.
func pngSize(file []byte) map[string]any {
	var width, height uint32
	rest, ok := bytes.CutPrefix(file, []byte("\x89PNG\r\n\x1a\n"))
	for ok && len(rest) >= 12 { // length, kind, data, checksum
		n, kind := binary.BigEndian.Uint32(rest), string(rest[4:8])
		if uint64(n)+12 > uint64(len(rest)) || kind == "IDAT" {
			return nil
		}
		data := rest[8 : 8+n]
		switch {
		case kind == "IHDR" && n >= 8:
			width, height = binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		case kind == "pHYs" && n == 9 && data[8] == 1: // pixels per metre
			return map[string]any{string(protocol.MIMEImagePNG): map[string]int{
				"width":  shownAt(width, binary.BigEndian.Uint32(data)),
				"height": shownAt(height, binary.BigEndian.Uint32(data[4:])),
			}}
		}
		rest = rest[12+n:]
	}
	return nil
}

// shownAt turns pixels of a file into those of a notebook, 96 to the inch.
func shownAt(pixels, perMetre uint32) int {
	return int(float64(pixels)/float64(max(perMetre, 1))/0.0254*96 + 0.5)
}
