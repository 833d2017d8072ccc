package viz_test

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

// head is the mean of three round slices, and a contrast in the inner part of them with a strong spot of each sign.
func head() (mean, contrast viz.Layer) {
	for z := range 3 {
		for j := range 20 {
			for i := range 24 {
				dx, dy := float64(i)-11.5, float64(j)-9.5
				r := dx*dx/130 + dy*dy/95
				if r >= 1 {
					continue
				}
				mean.X, mean.Y, mean.Z = append(mean.X, i), append(mean.Y, j), append(mean.Z, z+4)
				mean.Values = append(mean.Values, 900-400*r+100*math.Cos(float64(i)))
				if r < 0.7 {
					contrast.X, contrast.Y = append(contrast.X, i), append(contrast.Y, j)
					contrast.Z = append(contrast.Z, z+4)
					spot := func(x, y float64) float64 {
						return math.Exp(-(math.Pow(float64(i)-x, 2) + math.Pow(float64(j)-y, 2)) / 8)
					}
					contrast.Values = append(contrast.Values, 4*spot(6, 9+float64(z))-4*spot(17, 10-float64(z)))
				}
			}
		}
	}
	return mean, contrast
}

func contrastMap() (*viz.Figure, error) {
	mean, contrast := head()
	return viz.ContrastMap(mean, contrast, &viz.ContrastOptions{Title: "Faces against houses",
		Quantity: "face minus house (% of the mean)", Threshold: 0.5, Sides: [2]string{"R", "L"}})
}

// contrastClusters has one slice, clusters, and no mean.
func contrastClusters() (*viz.Figure, error) {
	_, contrast := head()
	clusters := make([]int, len(contrast.Values))
	for i := range clusters {
		clusters[i] = contrast.X[i] / 6
	}
	return viz.ContrastMap(viz.Layer{}, contrast, &viz.ContrastOptions{Slices: []int{5}, Threshold: 0.5, Limit: 2,
		Clusters: clusters})
}

// contrastSmall is one voxel, beyond the limit.
func contrastSmall() (*viz.Figure, error) {
	one := viz.Layer{X: []int{0}, Y: []int{0}, Z: []int{0}, Values: []float64{-2}}
	return viz.ContrastMap(viz.Layer{}, one, &viz.ContrastOptions{Title: "One voxel", Quantity: "signal", Limit: 1,
		Sides: [2]string{"right", "left"}})
}

func designMatrix() (*viz.Figure, error) {
	var rows [][]float64
	var columns, trials []string
	for _, name := range []string{"Sentence", "Picture"} {
		for range 16 {
			columns = append(columns, name)
		}
	}
	columns = append(columns, "drift")
	for n := range 4 {
		for image := range 24 {
			row := make([]float64, 33)
			if image < 16 {
				row[16*(n%2)+image] = 1
			}
			if image >= 8 {
				row[16*(1-n%2)+image-8] = 1
			}
			row[32] = float64(24*n+image)/47.5 - 1
			rows, trials = append(rows, row), append(trials, fmt.Sprintf("trial %d", n))
		}
	}
	return viz.DesignMatrix(rows, columns, trials, &viz.Axes{Title: "Two processes that overlap",
		X: "images of 0.5 s since the onset"})
}

func TestContrastPictures(t *testing.T) {
	for _, p := range []struct {
		name string
		make func() (*viz.Figure, error)
		text string
	}{
		{"contrast", contrastMap, "z = 5"},
		{"contrast-clusters", contrastClusters, "z = 5"},
		{"designmatrix", designMatrix, "Sentence"},
	} {
		t.Run(p.name, func(t *testing.T) { checkGolden(t, p.name, p.make, p.text) })
	}
}

// lightness is L* of a colour (CIE 1976), from 0 to 100.
func lightness(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	y := 0.0
	for i, v := range []uint8{n.R, n.G, n.B} {
		x := float64(v) / 255
		if x <= 0.04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+0.055)/1.055, 2.4)
		}
		y += x * []float64{0.2126, 0.7152, 0.0722}[i]
	}
	return 116*math.Cbrt(y) - 16
}

// TestSignedColors: lightness alone tells the distance from zero, the same for both signs, and no voxel that is shown
// is as light as the darkest mean. Two hundredths of the range are 0.9 of L*.
func TestSignedColors(t *testing.T) {
	darkest := lightness(viz.MeanGrey(0))
	last := darkest
	for k := range 51 {
		v := 1 + float64(k)/50
		above, below := lightness(viz.SignedColor(1, 2, v)), lightness(viz.SignedColor(1, 2, -v))
		if math.Abs(above-below) > 3 {
			t.Errorf("at %v L* is %.1f above zero and %.1f below", v, above, below)
		}
		if above >= last || k > 0 && last-above < 0.4 {
			t.Errorf("at %v L* is %.1f after %.1f, want darker", v, above, last)
		}
		last = above
	}
	if first := lightness(viz.SignedColor(1, 2, -1)); first > darkest-5 {
		t.Errorf("the palest orange has L* %.1f, the darkest mean %.1f", first, darkest)
	}
	// Blue has more blue than red and orange less, at every distance; no deficiency of red or green touches that.
	for _, v := range []float64{1, 1.5, 2} {
		a, b := viz.SignedColor(1, 2, v), viz.SignedColor(1, 2, -v)
		if int(a.B)-int(a.R) < 60 || int(b.R)-int(b.B) < 60 {
			t.Errorf("at %v the colours are %v and %v", v, a, b)
		}
	}
}

// TestContrastThreshold: a pointer finds exactly the voxels that reach the threshold, with their values, and the sides
// stand on every slice.
func TestContrastThreshold(t *testing.T) {
	mean, contrast := head()
	fig, err := contrastMap()
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i, v := range contrast.Values {
		text := fmt.Sprintf("<title>x %d, y %d, z %d: %.4g</title>", contrast.X[i], contrast.Y[i], contrast.Z[i], v)
		if found := bytes.Contains(svg, []byte(text)); found != (math.Abs(v) >= 0.5) {
			t.Errorf("%s: found %v", text, found)
		}
		if math.Abs(v) >= 0.5 {
			want++
		}
	}
	if got := bytes.Count(svg, []byte("<title>")); got != want || want == 0 || want == len(mean.Values) {
		t.Errorf("%d hints, want %d", got, want)
	}
	for _, side := range []string{">R<", ">L<"} {
		if got := bytes.Count(svg, []byte(side)); got != 3 {
			t.Errorf("%d times %s on 3 slices", got, side)
		}
	}
	if fig.Width > 10.2*72+1e-6 {
		t.Errorf("the figure is %v points wide", fig.Width)
	}
}

// TestContrastWidth: any number of slices, and large ones, stay within a page.
func TestContrastWidth(t *testing.T) {
	for _, n := range []int{1, 2, 8, 40} {
		for _, side := range []int{2, 64, 300} {
			var l viz.Layer
			for z := range n {
				l.X, l.Y, l.Z = append(l.X, 0, side-1), append(l.Y, 0, side-1), append(l.Z, z, z)
				l.Values = append(l.Values, 1, -1)
			}
			fig, err := viz.ContrastMap(viz.Layer{}, l, &viz.ContrastOptions{Quantity: "%"})
			if err != nil {
				t.Fatal(err)
			}
			if fig.Width > 10.2*72+1e-6 || fig.Height > 8*72 {
				t.Errorf("%d slices of %d: %v × %v points", n, side, fig.Width, fig.Height)
			}
		}
	}
}

func TestContrastErrors(t *testing.T) {
	one := viz.Layer{X: []int{1}, Y: []int{2}, Z: []int{3}, Values: []float64{1}}
	twice := viz.Layer{X: []int{1, 1}, Y: []int{2, 2}, Z: []int{3, 3}, Values: []float64{1, 2}}
	nan := viz.Layer{X: []int{1}, Y: []int{2}, Z: []int{3}, Values: []float64{math.NaN()}}
	wide := viz.Layer{X: []int{math.MinInt, math.MaxInt}, Y: []int{0, 0}, Z: []int{0, 0}, Values: []float64{1, 2}}
	for _, c := range []struct {
		mean, contrast viz.Layer
		opts           *viz.ContrastOptions
		want           string
	}{
		{one, viz.Layer{}, nil, "no voxels"},
		{viz.Layer{X: []int{1}}, one, nil, "the mean has 0 values at 1 x"},
		{one, viz.Layer{Values: []float64{1}}, nil, "the contrast has 1 values at 0 x"},
		{one, nan, nil, "(1, 2, 3) of the contrast has the value NaN"},
		{twice, one, nil, "two voxels of the mean are at (1, 2, 3)"},
		{one, one, &viz.ContrastOptions{Threshold: -1}, "threshold of the contrast is -1"},
		{one, one, &viz.ContrastOptions{Limit: math.Inf(1)}, "limit of the contrast is +Inf"},
		{one, one, &viz.ContrastOptions{Limit: 1, Threshold: 2}, "not above the threshold"},
		{one, one, &viz.ContrastOptions{Slices: []int{4}}, "slice 4"},
		{one, one, &viz.ContrastOptions{Slices: []int{}}, "nil for all"},
		{one, one, &viz.ContrastOptions{Clusters: []int{1, 2}}, "2 clusters for 1 voxels"},
		{one, wide, nil, "at most"},
	} {
		if _, err := viz.ContrastMap(c.mean, c.contrast, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	row := [][]float64{{1, 0}}
	for _, c := range []struct {
		rows            [][]float64
		columns, trials []string
		axes            *viz.Axes
		want            string
	}{
		{nil, nil, nil, nil, "no entries"},
		{row, []string{"a"}, []string{"1"}, nil, "row 1 of the design matrix has 2 values for 1 columns"},
		{row, []string{"a", "b"}, nil, nil, "1 rows and names for 0"},
		{[][]float64{{1, math.NaN()}}, []string{"a", "b"}, []string{"1"}, nil, "row 1, column 2 (b)"},
		{row, []string{"a", "b"}, []string{"1"}, &viz.Axes{LogX: true}, "leave LogX"},
		{row, []string{"a", "b"}, []string{"1"}, &viz.Axes{YRange: [2]float64{0, 1}}, "leave LogX"},
		{row, []string{"a", "b"}, []string{"1"}, &viz.Axes{Looks: map[string]viz.Look{"a": {}}}, "leave LogX"},
	} {
		_, err := viz.DesignMatrix(c.rows, c.columns, c.trials, c.axes)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestDesignEntries: pointers find the entries that are not 0, by trial, scan, process and offset.
func TestDesignEntries(t *testing.T) {
	fig, err := viz.DesignMatrix([][]float64{{1, 0, 0.5}, {0, 1, -0.5}, {0, 0, 0}}, []string{"face", "face", "drift"},
		[]string{"run 1", "run 1", "run 2"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run 1, scan 1: face, offset 0: 1", "run 1, scan 2: face, offset 1: 1",
		"run 1, scan 1: drift: 0.5", "run 1, scan 2: drift: -0.5"} {
		if !bytes.Contains(svg, []byte("<title>"+want+"</title>")) {
			t.Errorf("no pointer tells %q", want)
		}
	}
	if got := bytes.Count(svg, []byte("<title>")); got != 4 {
		t.Errorf("%d hints, want 4", got)
	}
}

// TestDesignLarge: a matrix of more entries than a pointer can tell has no hints, equal neighbours and thin rows are
// one mark, and the legend has the greatest of each sign.
func TestDesignLarge(t *testing.T) {
	var rows [][]float64
	var trials []string
	for i := range 20000 {
		varied := 1 + float64(i*i%97)/97
		rows, trials = append(rows, []float64{varied, 2.5, -0.75}), append(trials, fmt.Sprint("trial ", i))
	}
	fig, err := viz.DesignMatrix(rows, []string{"a", "b", "c"}, trials, nil)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(svg, []byte("<title>")); n != 0 {
		t.Errorf("%d hints for 60000 entries, want none", n)
	}
	// 380 points high: 1520 quarters for a column that varies and for lines between trials.
	if n := bytes.Count(svg, []byte("<path")); n > 2*1520+100 {
		t.Errorf("%d marks", n)
	}
	for _, want := range []string{"−0.75 to 0", "0 to 2.5"} {
		checkSVG(t, svg, want)
	}
}

func ExampleContrastMap() {
	mean, contrast := head()
	fig, err := viz.ContrastMap(mean, contrast, &viz.ContrastOptions{Title: "Faces against houses",
		Quantity: "face minus house (% of the mean)", Threshold: 0.5, Sides: [2]string{"R", "L"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fig)
	// Output: Faces against houses (figure of 10.2 × 3.4 inches)
}

// TestDesignMatrixIsKept: a figure shows what it was made of, whatever becomes of the rows.
func TestDesignMatrixIsKept(t *testing.T) {
	rows := [][]float64{{1, 0}, {0, 1}, {0.5, 0}}
	fig, err := viz.DesignMatrix(rows, []string{"face", "house"}, []string{"a", "a", "b"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	rows[0][0], rows[1] = 0.5, []float64{0, 0}
	if after, err := fig.SVG(); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the figure changes with the rows, %v", err)
	}
}

func ExampleDesignMatrix() {
	fig, err := viz.DesignMatrix([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, []string{"face", "face", "house"},
		[]string{"run 1", "run 1", "run 1"}, &viz.Axes{Title: "Three scans"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fig)
	// Output: Three scans (figure of 1.3 × 2.1 inches)
}

// More slices than a page has room for are an error that says what to change.
func TestContrastMapWithoutRoom(t *testing.T) {
	for n, opts := range map[int]*viz.ContrastOptions{1100: nil, 150: {Width: 2, Quantity: "q"}} {
		var l viz.Layer
		for z := range n {
			l.X, l.Y, l.Z, l.Values = append(l.X, 0), append(l.Y, 0), append(l.Z, z), append(l.Values, 1)
		}
		_, err := viz.ContrastMap(viz.Layer{}, l, opts)
		if err == nil || !strings.Contains(err.Error(), "Slices") || !strings.Contains(err.Error(), "Width") {
			t.Errorf("%d slices: error %v, want one that names Slices and Width", n, err)
		}
	}
}

// TestContrastSmall: above a slice of one voxel its z and the sides stand apart, and so do the numbers of the bar.
func TestContrastSmall(t *testing.T) {
	fig, err := contrastSmall()
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[string][2]float64) // where texts begin
	for _, rest := range strings.Split(string(svg), "<text ")[1:] {
		tag, rest, _ := strings.Cut(rest, ">")
		text, _, _ := strings.Cut(rest, "<")
		var x, y float64
		if _, err := fmt.Sscanf(tag, `x="%g" y="%g"`, &x, &y); err != nil {
			t.Fatalf("%s: %v", tag, err)
		}
		at[text] = [2]float64{x, y}
	}
	if right, z, left := at["right"][0], at["z = 0"][0], at["left"][0]; !(right+20 < z && z+20 < left) {
		t.Errorf("right, z and left begin at %v, %v and %v points", right, z, left)
	}
	for above, below := range map[string]string{"1.0": "0.5", "0.5": "0", "0": "−0.5", "−0.5": "−1.0"} {
		if apart := math.Abs(at[above][1] - at[below][1]); apart < 8.5 {
			t.Errorf("%s and %s are %.1f points apart on the bar", above, below, apart)
		}
	}
}

// The colours and the bar of a contrast are finite to the ends of what a float64 holds; the limit is the greatest
// value, twice the threshold, or given.
func TestContrastMapExtremes(t *testing.T) {
	for _, values := range [][]float64{{5e-324, -5e-324}, {math.MaxFloat64, -math.MaxFloat64}, {1, 0}} {
		layer := viz.Layer{X: []int{0, 1}, Y: []int{0, 0}, Z: []int{0, 0}, Values: values}
		for _, o := range []viz.ContrastOptions{{}, {Limit: 5e-324}, {Limit: math.MaxFloat64}, {Threshold: 1e-300},
			{Threshold: math.MaxFloat64 / 2}} {
			fig, err := viz.ContrastMap(layer, layer, &o)
			if err != nil {
				t.Fatal(err)
			}
			svg, err := fig.SVG()
			if err != nil || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%v with %+v: %v, or a place that is no number", values, o, err)
			}
		}
	}
}
