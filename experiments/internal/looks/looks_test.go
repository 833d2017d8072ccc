package looks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

// covered are the experiments whose learners are in the table.
var covered = []string{"apn", "constraints", "graphs", "guarantees", "hierarchy", "hpm", "noisyor",
	"quickstart", "scale", "sharing", "timecourse", "weigh"}

// others are the functions whose series are no learners, so that their looks are the palette's.
var others = map[string][]string{
	"apn":         {"gradientFigure"},                // stages of an ascent
	"constraints": {"removed"},                       // numbers of examples
	"graphs":      {"hiddenFigure", "arcFigure"},     // one curve; kinds of opinions
	"guarantees":  {"varianceFigure", "classFigure"}, // theory and settings; one bar a class
	"hpm":         {"figure1"},                       // processes
	"noisyor":     {"stoppingFigure"},                // numbers of cases
	"scale":       {"growthFigure", "saveShards"},    // one task; numbers of shards
	"timecourse":  {"sweepFigure"},                   // two structures
	"weigh":       {"holdsFigure", "wordFigure"},     // one curve; words
}

// Figures of learners are drawn by this package, and no experiment names a colour itself.
func TestExperimentsUseTheTable(t *testing.T) {
	for _, name := range covered {
		files, err := filepath.Glob(filepath.Join("..", "..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", name, err, len(files))
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range breaches(t, string(src), others[name]) {
				t.Errorf("%s: %s", file, wrong)
			}
		}
	}
}

// breaches lists what a file does past the table.
func breaches(t *testing.T, src string, others []string) (list []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range f.Imports {
		if imported.Path.Value == `"image/color"` {
			list = append(list, "imports image/color; colours are in experiments/internal/looks")
		}
	}
	own, drawn := []string{"Color", "Palette", "Looks"}, []string{"Curves", "Bars", "Dots", "LearningCurve"}
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(own, key.Name) {
					list = append(list, fn.Name.Name+" sets "+key.Name+"; use looks.Curves or looks.Dots")
				}
			case *ast.CallExpr:
				s, ok := n.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				p, ok := s.X.(*ast.Ident)
				if ok && p.Name == "viz" && slices.Contains(drawn, s.Sel.Name) &&
					!slices.Contains(others, fn.Name.Name) {
					list = append(list, fn.Name.Name+" draws with viz."+s.Sel.Name+", not with looks."+s.Sel.Name)
				}
			}
			return true
		})
	}
	return list
}

func TestBreaches(t *testing.T) {
	const src = `package p
import "image/color"
func a() { viz.Curves(nil, &viz.Axes{Palette: nil}) }
func b() { viz.Bars(nil, nil, nil) }
func c() { looks.Curves([]viz.Series{{Color: color.Black}}, nil) }`
	if list := breaches(t, src, []string{"b"}); len(list) != 4 {
		t.Errorf("%d breaches, want 4: %v", len(list), list)
	}
}

// A learner has one look, whatever stands beside it, and an unknown one is an error; so are two that look the same.
func TestOneLook(t *testing.T) {
	svg := func(names ...string) string {
		var list []viz.Series
		for _, name := range names {
			list = append(list, viz.Series{Name: name, X: []float64{1, 2}, Y: []float64{1, 2}})
		}
		f, err := Curves(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	line := regexp.MustCompile(`style="[^"]*stroke:#E69F00;[^"]*"`)
	alone, beside := line.FindString(svg("monotone")), line.FindString(svg("none", "noisy-or", "monotone"))
	if alone == "" || alone != beside || !strings.Contains(alone, "dasharray") {
		t.Errorf("monotone is drawn by %q alone and by %q beside others, want one with dashes", alone, beside)
	}
	for want, names := range map[string][]string{
		`"nobody" has no look`:        {"none", "nobody"},
		`look the same in one figure`: {"monotone", "signs"},
	} {
		var list []viz.Series
		for _, name := range names {
			list = append(list, viz.Series{Name: name, X: []float64{1, 2}, Y: []float64{1, 2}})
		}
		if _, err := Curves(list, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", names, err, want)
		}
		if _, err := Dots([]string{"g"}, []viz.BarSeries{{Name: names[0], Values: []float64{1}},
			{Name: names[1], Values: []float64{1}}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("dots of %v: error %v, want %q", names, err, want)
		}
	}
}
