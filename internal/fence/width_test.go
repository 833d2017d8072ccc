package fence

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pageWidth is the width of a notebook's page in CSS pixels, 96 to the inch, at which pictures are shown: the width
// attribute of an SVG, 72 points to the inch, and the width that an output of a notebook gives its picture.
const pageWidth = 980

func TestWidths(t *testing.T) {
	found := map[string]float64{}
	root := filepath.Join("..", "..")
	for _, dir := range []string{"figures", "notebooks"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			switch filepath.Ext(path) {
			case ".svg":
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				found[filepath.ToSlash(name)] = svgWidth(b)
			case ".ipynb":
				if base := d.Name(); base[0] < '0' || base[0] > '9' { // one of the user's beside ours
					return nil
				}
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				found[filepath.ToSlash(name)] = outputWidth(t, b)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 50 {
		t.Errorf("%d pictures: the walk missed some", len(found))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if err := checkWidth(name, found[name]); err != nil {
			t.Error(err)
		}
	}
}

// checkWidth returns an error for a picture that is too wide, or has no width.
func checkWidth(name string, w float64) error {
	switch {
	case w == 0 && filepath.Ext(name) == ".svg":
		return fmt.Errorf("%s does not begin as an SVG of viz does: its width is not known", name)
	case w > pageWidth:
		return fmt.Errorf("%s: a picture is %.0f pixels wide, at most %d: set plots in a viz.Row, or Axes.Width to "+
			"10.2", name, w, pageWidth)
	}
	return nil
}

var (
	svgHead  = regexp.MustCompile(`<svg width="([0-9.]+)pt"`)
	shownAs  = regexp.MustCompile(`<img style="width:([0-9]+)px;`)
	fromText = func(s string) float64 { x, _ := strconv.ParseFloat(s, 64); return x }
)

// svgWidth is the width of an SVG of viz in pixels.
func svgWidth(svg []byte) float64 {
	m := svgHead.FindSubmatch(svg)
	if m == nil {
		return 0
	}
	return fromText(string(m[1])) * 96 / 72
}

// outputWidth is the width of the widest picture among the outputs of a notebook, in pixels.
func outputWidth(t *testing.T, notebook []byte) float64 {
	t.Helper()
	var file struct {
		Cells []struct {
			Outputs []struct {
				Data     map[string]json.RawMessage
				Metadata map[string]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(notebook, &file); err != nil {
		t.Fatal(err)
	}
	widest := 0.0
	for _, cell := range file.Cells {
		for _, out := range cell.Outputs {
			var size struct{ Width float64 }
			if json.Unmarshal(out.Metadata["image/png"], &size) == nil {
				widest = max(widest, size.Width)
			}
			var lines []string
			if json.Unmarshal(out.Data["text/html"], &lines) != nil {
				continue
			}
			for _, m := range shownAs.FindAllStringSubmatch(strings.Join(lines, ""), -1) {
				widest = max(widest, fromText(m[1]))
			}
		}
	}
	return widest
}

func TestWidthsAreFound(t *testing.T) {
	if w := svgWidth([]byte(`<?xml version="1.0"?><svg width="734.4pt" height="2pt">`)); w < 979.1 || w > 979.3 {
		t.Errorf("734.4 points are %v pixels, want 979.2", w)
	}
	const notebook = `{"cells": [{"outputs": [{"data": {"image/png": "x"}, "metadata": {"image/png": {"width": 12}}},
		{"data": {"text/html": ["<div><img ", "style=\"width:34px;max-width:100%\">"]}, "metadata": {}}]}, {"source": []}]}`
	if w := outputWidth(t, []byte(notebook)); w != 34 {
		t.Errorf("the widest output is %v pixels, want 34", w)
	}
}

func TestCheckWidth(t *testing.T) {
	for _, c := range []struct {
		name string
		w    float64
		want string
	}{
		{"a.svg", 980, ""}, {"a.svg", 981, "Axes.Width"}, {"a.svg", 0, "not known"}, {"a.ipynb", 0, ""},
	} {
		err := checkWidth(c.name, c.w)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v pixels: error %v, want %q", c.name, c.w, err, c.want)
		}
	}
}
