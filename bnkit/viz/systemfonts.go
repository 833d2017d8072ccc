package viz

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// systemFonts has the fonts of this machine, from the first letter on that the embedded ones lack.
var systemFonts = &fontFinder{folders: fontFolders}

// Bounds of what is looked at.
const (
	mostEntries   = 50_000    // of folders
	mostFontFiles = 1000      // that are opened
	mostFontBytes = 256 << 20 // of a file, of which only what is needed is read
	mostFaces     = 4         // of a collection, whose faces mostly have the same letters
)

// A fontFinder finds letters in the fonts of folders: TTF, OTF and TTC. Files are listed once and opened one after
// the other until one has the letter; none stays open. Several goroutines may use it.
type fontFinder struct {
	folders func() []string

	mu     sync.Mutex
	listed bool
	files  []string     // still to be opened, the plainest first
	fonts  []*sfnt.Font // of those that were
	found  map[rune]glyph
}

// A glyph is a letter of a font, nil where none has it.
type glyph struct {
	font    *sfnt.Font
	advance float64 // as a share of the size
}

func (s *fontFinder) find(r rune) glyph {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g, ok := s.found[r]; ok {
		return g
	}
	if !s.listed {
		s.listed, s.files, s.found = true, fontFiles(s.folders()), make(map[rune]glyph)
	}
	var g glyph
	for i := 0; g.font == nil && s.reach(i); i++ {
		if advance, ok := outlined(s.fonts[i], r); ok {
			g = glyph{s.fonts[i], advance}
		}
	}
	s.found[r] = g
	return g
}

// reach opens files until there is a font i.
func (s *fontFinder) reach(i int) bool {
	for i >= len(s.fonts) && len(s.files) > 0 {
		s.fonts = append(s.fonts, openFonts(s.files[0])...)
		s.files = s.files[1:]
	}
	return i < len(s.fonts)
}

// openFonts returns the fonts of a file, none where it is damaged or none that can be read.
func openFonts(path string) (fonts []*sfnt.Font) {
	defer ignorePanic()
	add := func(f *sfnt.Font, err error) {
		if err != nil {
			return
		}
		var buf sfnt.Buffer
		if _, err := f.Metrics(&buf, fixed.Int26_6(f.UnitsPerEm()), xfont.HintingNone); err == nil {
			fonts = append(fonts, f)
		}
	}
	c, err := sfnt.ParseCollectionReaderAt(fontFile(path))
	if err != nil {
		return nil
	}
	for i := range min(c.NumFonts(), mostFaces) {
		add(c.Font(i))
	}
	if fonts == nil {
		if file, err := moveTables(fontFile(path)); err == nil {
			add(sfnt.ParseReaderAt(file))
		}
	}
	return fonts
}

// outlined tells whether a font has a letter that can be drawn in one colour, and how wide it is.
func outlined(f *sfnt.Font, r rune) (advance float64, ok bool) {
	defer ignorePanic()
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.UnitsPerEm())
	i, err := f.GlyphIndex(&buf, r)
	if err != nil || i == 0 {
		return 0, false
	}
	wide, err := f.GlyphAdvance(&buf, i, em, xfont.HintingNone)
	if err != nil {
		return 0, false
	}
	outline, err := f.LoadGlyph(&buf, i, em, nil)
	return float64(wide) / float64(em), err == nil && len(outline) > 0
}

// ignorePanic leaves a damaged font at what was returned until then.
func ignorePanic() { _ = recover() }

// fontFiles lists fonts, the plainest first; by path among those that are alike.
func fontFiles(folders []string) []string {
	var files []string
	entries := 0
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if entries++; entries > mostEntries {
				return fs.SkipAll
			}
			if err != nil || d.IsDir() || !isFont(d.Name()) {
				return nil // what cannot be read has no fonts: WalkDir returns no error
			}
			// A link may lead to anything, also to what never ends.
			if of, err := os.Stat(path); err == nil && of.Mode().IsRegular() && of.Size() <= mostFontBytes {
				files = append(files, path)
			}
			return nil
		})
	}
	slices.SortStableFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(fancy(a), fancy(b)), cmp.Compare(a, b))
	})
	return files[:min(len(files), mostFontFiles)]
}

// isFont tells whether a name is that of a font with letters of its own: Apple's last resort has a sign for each
// alphabet instead.
func isFont(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, filepath.Ext(name)) &&
		!strings.HasPrefix(name, "lastresort")
}

// fancy counts in what a font differs from plain sans serif, by its name.
func fancy(path string) int {
	name, n := strings.ToLower(filepath.Base(path)), 0
	for _, word := range []string{"bold", "italic", "oblique", "light", "thin", "black", "heavy", "medium", "condensed",
		"narrow", "mono", "serif", "display"} {
		if strings.Contains(name, word) {
			n++
		}
	}
	return n
}

// fontFolders are the usual places of fonts.
func fontFolders() []string {
	home, err := os.UserHomeDir()
	under := func(parts ...string) []string {
		if err != nil {
			return nil
		}
		return []string{filepath.Join(append([]string{home}, parts...)...)}
	}
	switch runtime.GOOS {
	case "darwin":
		return append([]string{"/System/Library/Fonts", "/Library/Fonts"}, under("Library", "Fonts")...)
	case "windows":
		windows := cmp.Or(os.Getenv("WINDIR"), `C:\Windows`)
		return append([]string{filepath.Join(windows, "Fonts")},
			under("AppData", "Local", "Microsoft", "Windows", "Fonts")...)
	}
	return slices.Concat([]string{"/usr/share/fonts", "/usr/local/share/fonts"}, under(".fonts"),
		under(".local", "share", "fonts"))
}
