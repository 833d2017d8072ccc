package nb

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"html"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// mostSVG is how many bytes of SVG a picture of few marks has; larger ones, as of the voxels of a slice, stay PNG.
const mostSVG = 200_000

//go:embed picture.js
var pictureJS string

// picture sends HTML with the picture as PNG, which its script replaces by SVG: names can be selected, and marks tell
// their numbers. An output that is SVG itself would lose those where nbconvert cleans it, and is not seen everywhere.
func (n *notebook) picture(p picture) error {
	file, err := p.PNG()
	if err != nil {
		return err
	}
	packed, err := packedSVG(p)
	if err != nil {
		return err
	}
	if packed == nil {
		n.display(protocol.MIMEImagePNG, file, pngSize(file))
	} else {
		n.folded(imageHTML(file, packed, about(p)), "["+about(p)+"]")
	}
	for _, note := range notesOf(p) {
		n.text(note + "\n")
	}
	return nil
}

// notesOf are sentences on what a picture that was drawn does not show.
func notesOf(p picture) []string {
	var notes []string
	if of, ok := p.(interface{ Notes() []string }); ok {
		for _, note := range of.Notes() {
			notes = append(notes, visible(note, ""))
		}
	}
	return notes
}

// about is what a picture shows, in a line.
func about(p picture) string {
	if d, ok := p.(fmt.Stringer); ok {
		return visible(d.String(), "")
	}
	return "figure"
}

// packedSVG is the picture as SVG, compressed; nil where it has none or a large one.
func packedSVG(p picture) ([]byte, error) {
	draws, ok := p.(interface{ SVG() ([]byte, error) })
	if !ok {
		return nil, nil
	}
	svg, err := draws.SVG()
	if err != nil || len(svg) > mostSVG {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(svg); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// imageHTML is a picture within HTML, at its own size or as wide as there is room; packed may be nil.
func imageHTML(file, packed []byte, alt string) string {
	width := ""
	if size, ok := pngSize(file)[string(protocol.MIMEImagePNG)].(map[string]int); ok {
		width = fmt.Sprintf("width:%dpx;", size["width"])
	}
	img := fmt.Sprintf(`<img style="%smax-width:100%%;height:auto" alt="%s" src="data:image/png;base64,%s">`, width,
		html.EscapeString(alt), base64.StdEncoding.EncodeToString(file))
	if packed == nil {
		return img + "\n"
	}
	h := fnv.New64a() // by which the script finds its picture; those that are alike may take over each other's
	h.Write(packed)
	id := strconv.FormatUint(h.Sum64(), 36)
	return fmt.Sprintf("<div data-bnlab-figure=%q>%s</div>\n<script>%s</script>\n", id, img,
		strings.NewReplacer(`="ID"`, `="`+id+`"`, `"SVG"`, `"`+base64.StdEncoding.EncodeToString(packed)+`"`).
			Replace(pictureJS))
}
