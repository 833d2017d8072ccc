package format

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/format/internal/genie"
	"bnlab/bnkit/format/internal/hugin"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/bnkit/format/internal/netica"
	"bnlab/bnkit/format/internal/uai"
	"bnlab/bnkit/format/internal/xmlbif"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// A fileFormat is a network format.
type fileFormat struct {
	Name       string
	Extensions []string // the first is the usual one
	Parse      func(src []byte, maxCells ...int) (*File, error)
	Write      func(w io.Writer, f *File) (lost []string, err error) // nil where the format is only read
}

// formats returns all formats.
func formats() []fileFormat {
	return []fileFormat{
		{"BIF", []string{".bif"}, parseBIF, writeBIF},
		{"XMLBIF", []string{".xml", ".xmlbif", ".bifxml"}, xmlbif.Parse, xmlbif.Write},
		{"Hugin net", []string{".net", ".hugin", ".oobn"}, hugin.Parse, hugin.Write},
		{"GeNIe XDSL", []string{".xdsl"}, genie.Parse, genie.Write},
		{"Netica DNET", []string{".dne", ".dnet"}, netica.Parse, netica.Write},
		{"DSC", []string{".dsc"}, netica.Parse, netica.WriteDSC},
		{"UAI", []string{".uai"}, uai.Parse, uai.Write},
		{"GeNIe DSL", []string{".dsl"}, genie.ParseDSL, nil},
	}
}

// errUnknownFormat is wrapped by the error for a file that is in no format that is read.
var errUnknownFormat = errors.New("unknown network format")

// byExtension returns the format of a file's extension.
func byExtension(path string) (fileFormat, error) {
	extension := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range formats() {
		if slices.Contains(f.Extensions, extension) {
			return f, nil
		}
		known = append(known, f.Extensions...)
	}
	return fileFormat{}, say.Errorf("%w: the extension %q is none of %s", errUnknownFormat, extension,
		say.List(known))
}

// signs are words that a file of a format begins with, comments and white space aside.
var signs = []struct{ word, extension string }{
	{"<smile", ".xdsl"}, {"<BIF", ".xml"}, {"<bif", ".xml"}, {"<XMLBIF", ".xml"}, {"<bayesNet", ".xml"},
	{"BAYES", ".uai"}, {"MARKOV", ".uai"},
	{"bnet", ".dne"}, {"belief network", ".dsc"},
	{"network", ".bif"}, {"variable", ".bif"}, {"probability", ".bif"},
	{"net", ".net"}, {"class", ".net"}, {"node", ".net"}, {"continuous node", ".net"}, {"discrete node", ".net"},
}

// oldGeNIe is how a file of GeNIe in DSL begins; Hugin's net has no name.
var oldGeNIe = regexp.MustCompile(`^net\s+[A-Za-z_]`)

// namespace is the prefix of an element in XML, as UnBBayes writes it.
var namespace = regexp.MustCompile(`<[A-Za-z]+:`)

// byContent returns the format of what a file holds, by its first word.
func byContent(src []byte) (fileFormat, error) {
	src = bytes.TrimPrefix(src[:min(len(src), 1<<16)], []byte("\xef\xbb\xbf"))
	src = namespace.ReplaceAll(textpos.Lines(src), []byte("<"))
	for src = past(src); ; src = past(src[1:]) {
		if oldGeNIe.Match(src) {
			return byExtension(".dsl")
		}
		for _, s := range signs {
			if bytes.HasPrefix(src, []byte(s.word)) {
				return byExtension(s.extension)
			}
		}
		if len(src) == 0 || src[0] != '<' { // of XML the first elements are tried
			break
		}
		if next := bytes.IndexByte(src[1:], '<'); next >= 0 {
			src = src[next:] // one byte before, which the loop passes
		} else {
			break
		}
	}
	var known []string
	for _, f := range formats() {
		known = append(known, f.Name)
	}
	return fileFormat{}, say.Errorf("%w: the file begins like none of %s", errUnknownFormat, say.List(known))
}

// past passes white space and comments of all formats.
func past(src []byte) []byte {
	for {
		src = bytes.TrimLeft(src, " \t\r\n\v\f")
		end := -1
		switch {
		case bytes.HasPrefix(src, []byte("//")), bytes.HasPrefix(src, []byte("%")):
			end = bytes.IndexByte(src, '\n')
		case bytes.HasPrefix(src, []byte("/*")):
			if end = bytes.Index(src, []byte("*/")); end >= 0 {
				end++
			}
		default:
			return src
		}
		if end < 0 {
			return nil
		}
		src = src[end+1:]
	}
}

// networkName finds the name in the block of a BIF file; unknown is what writers put for none.
var networkName = regexp.MustCompile(`(?m)^\s*network\s+("[^"]*"|[^\s"{};]+)`)

// property finds a property, and no name with the word in it.
var property = regexp.MustCompile(`(?m)(?:^|[{;])[ \t]*property[ \t]+[^,;}\s]`)

func parseBIF(src []byte, maxCells ...int) (*File, error) {
	n, lost, err := bif.Read(bytes.NewBuffer(src), maxCells...)
	if err != nil {
		return nil, err
	}
	f := &File{Network: n, Lost: lost}
	if m := networkName.FindSubmatch(src); m != nil && string(m[1]) != "unknown" {
		f.Name = strings.Trim(string(m[1]), `"`)
	}
	if property.Match(src) {
		f.Lost = append(f.Lost, "Properties, such as positions, are not read.")
	}
	return f, nil
}

func writeBIF(w io.Writer, f *File) ([]string, error) {
	lost, err := f.Check(netdoc.Keeps{Format: "BIF", AnyText: true})
	if err != nil {
		return nil, err
	}
	return lost, bif.Write(w, f.Network)
}
