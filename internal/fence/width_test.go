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

// wider are the pictures past the page, with their widths: drawings too large for it, which a notebook shows as wide as
// there is room.
var wider = map[string]float64{}

// older are those made before this test, and their widths then. The test names what has been made anew: strike it out.
var older = map[string]float64{
	"figures/hierarchy/b06-brain-network.svg":             3156,
	"notebooks/08-hierarchy.ipynb":                        3156,
	"figures/apn/r95-classes.svg":                         1076,
	"figures/apn/r95-courses-3-1-3.svg":                   1076,
	"figures/apn/r95-courses-insurance.svg":               1076,
	"figures/apn/r95-fig6-mse.svg":                        1076,
	"figures/guarantees/n06-thm4-convergence.svg":         999,
	"figures/hierarchy/b06-brain-accuracy.svg":            1326,
	"figures/hierarchy/b06-fig3-scores.svg":               1326,
	"figures/hierarchy/b06-fig3.svg":                      1326,
	"figures/hpm/haxby-map.svg":                           1196,
	"figures/hpm/hpm-recovery.svg":                        1153,
	"figures/hpm/hpm-responses.svg":                       1153,
	"figures/hpm/n06-tab2-log-score.svg":                  1153,
	"figures/noisyor/y13-early-stopping.svg":              1191,
	"figures/noisyor/y13-fig3-auc.svg":                    1441,
	"figures/noisyor/y13-fig4-learning-curve.svg":         1191,
	"figures/timecourse/w00-courses.svg":                  999,
	"figures/timecourse/w00-distance.svg":                 999,
	"figures/timecourse/w00-fig2-final-abstract.svg":      1211,
	"figures/timecourse/w00-fig2-final-load.svg":          1211,
	"figures/timecourse/w00-fig2-timecourse-abstract.svg": 1211,
	"figures/timecourse/w00-fig2-timecourse-load.svg":     1211,
	"figures/timecourse/w00-quadratic.svg":                999,
	"figures/timecourse/w00-sweep.svg":                    999,
	"figures/timecourse/w00-violations.svg":               999,
	"figures/weigh/verdict-words.svg":                     1383,
	"figures/weigh/weigh-domains-10.svg":                  1057,
	"figures/weigh/weigh-domains-160.svg":                 1057,
	"figures/weigh/weigh-domains-40.svg":                  1057,
	"figures/weigh/weigh-domains-640.svg":                 1057,
	"figures/weigh/weigh-sharing.svg":                     1326,
	"figures/weigh/weigh-strengths.svg":                   1326,
	"figures/weigh/weigh-truths.svg":                      1326,
	"notebooks/03-guarantees.ipynb":                       1000,
	"notebooks/04-apn.ipynb":                              1076,
	"notebooks/05-timecourse.ipynb":                       1211,
	"notebooks/06-noisyor.ipynb":                          1441,
	"notebooks/07-hpm.ipynb":                              1196,
	"notebooks/12-weigh.ipynb":                            1384,
}

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
		if err := checkWidth(name, found[name], wider, older); err != nil {
			t.Error(err)
		}
	}
	for name := range wider {
		if _, ok := found[name]; !ok {
			t.Errorf("%s stands in wider and is no picture: strike it out", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(older)) {
		if found[name] <= pageWidth {
			t.Logf("%s fits or is gone: strike it out of older", name)
		}
	}
}

// checkWidth returns an error for a picture that is too wide, has no width, or stands in wider and fits the page. One
// in older may fit.
func checkWidth(name string, w float64, wider, older map[string]float64) error {
	most, stands := wider[name]
	switch {
	case w == 0 && filepath.Ext(name) == ".svg":
		return fmt.Errorf("%s does not begin as an SVG of viz does: its width is not known", name)
	case stands && w <= pageWidth:
		return fmt.Errorf("%s is %.0f pixels wide, which fits: strike it out of wider", name, w)
	case w > max(pageWidth, most, older[name]):
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
	wider, older := map[string]float64{"network.svg": 2000}, map[string]float64{"old.svg": 1200}
	for _, c := range []struct {
		name string
		w    float64
		want string
	}{
		{"a.svg", 980, ""}, {"a.svg", 981, "Axes.Width"}, {"a.svg", 0, "not known"}, {"a.ipynb", 0, ""},
		{"network.svg", 2000, ""}, {"network.svg", 2001, "Axes.Width"}, {"network.svg", 980, "strike it out"},
		{"old.svg", 1200, ""}, {"old.svg", 1201, "Axes.Width"}, {"old.svg", 900, ""},
	} {
		err := checkWidth(c.name, c.w, wider, older)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v pixels: error %v, want %q", c.name, c.w, err, c.want)
		}
	}
	if err := checkWidth("old.svg", 900, nil, nil); err != nil {
		t.Errorf("empty lists: %v", err)
	}
}
