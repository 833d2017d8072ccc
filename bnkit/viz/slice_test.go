package viz_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

// disc is a round slice, with one of nine clusters at each voxel.
func disc() (x, y, clusters []int) {
	for j := range 20 {
		for i := range 24 {
			if dx, dy := float64(i)-11.5, float64(j)-9.5; dx*dx/130+dy*dy/95 < 1 {
				x, y = append(x, i+1), append(y, j+1)
				clusters = append(clusters, i/8+3*(j/7))
			}
		}
	}
	return x, y, clusters
}

func sliceClusters() (*viz.Figure, error) {
	x, y, clusters := disc()
	return viz.SliceClusters(x, y, clusters, &viz.Axes{Title: "Clusters of a slice", Width: 4})
}

func processes() (*viz.Figure, error) {
	var courses []viz.Course
	for cluster, name := range []string{"Sentence, cluster 1", "", "Sentence, cluster 3"} {
		c := viz.Course{Name: name, Cluster: cluster * 4}
		for t := range 32 {
			v := math.Exp(-math.Pow(float64(t)-8-3*float64(cluster), 2)/20) - 0.2
			c.Values = append(c.Values, v)
			if cluster == 0 {
				c.Lo, c.Hi = append(c.Lo, v-0.15), append(c.Hi, v+0.15)
			}
		}
		courses = append(courses, c)
	}
	return viz.Processes(courses, 0.5, &viz.Axes{Title: "Base processes", Y: "signal"})
}

func TestBrainPictures(t *testing.T) {
	for _, p := range []struct {
		name string
		make func() (*viz.Figure, error)
		text string
	}{
		{"sliceclusters", sliceClusters, "x 2 to 23"},
		{"processes", processes, "seconds since the onset"},
	} {
		t.Run(p.name, func(t *testing.T) { checkGolden(t, p.name, p.make, p.text) })
	}
}

// TestSliceColors counts points: a voxel that is a quarter of the slice's area has a third of the
// coloured points that three others of another cluster have together.
func TestSliceColors(t *testing.T) {
	fig, err := viz.SliceClusters([]int{5, 6, 5, 6}, []int{-1, -1, 0, 0}, []int{0, 1, 1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := paint(t, fig)
	one, three := float64(count[viz.ClusterColor(0)]), float64(count[viz.ClusterColor(1)])
	if one == 0 || math.Abs(three/one-3) > 0.1 {
		t.Errorf("%v points of cluster 0 and %v of cluster 1, want three times as many", one, three)
	}
}

// paint counts the points of each colour.
func paint(t *testing.T, fig *viz.Figure) map[color.Color]int {
	t.Helper()
	b, err := fig.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[color.Color]int)
	for y := range img.Bounds().Max.Y {
		for x := range img.Bounds().Max.X {
			count[color.NRGBAModel.Convert(img.At(x, y))]++
		}
	}
	return count
}

func TestClusterColors(t *testing.T) {
	seen := make(map[color.Color]int)
	for c := range 21 {
		if other, ok := seen[viz.ClusterColor(c)]; ok {
			t.Errorf("clusters %d and %d have the same colour", other, c)
		}
		seen[viz.ClusterColor(c)] = c
	}
	if viz.ClusterColor(21) != viz.ClusterColor(0) || viz.ClusterColor(-1) != viz.ClusterColor(20) {
		t.Error("the colours do not begin again after 21")
	}
}

func TestBrainErrors(t *testing.T) {
	one := []int{1}
	for _, c := range []struct {
		name string
		make func() (*viz.Figure, error)
		want string
	}{
		{"no voxels", func() (*viz.Figure, error) { return viz.SliceClusters(nil, nil, nil, nil) }, "no voxels"},
		{"lengths", func() (*viz.Figure, error) { return viz.SliceClusters(one, one, nil, nil) },
			"1 values of x, 1 of y and 0"},
		{"one place", func() (*viz.Figure, error) {
			return viz.SliceClusters([]int{2, 2}, []int{3, 3}, []int{0, 1},
				nil)
		}, "both at (2, 3)"},
		{"wide", func() (*viz.Figure, error) {
			return viz.SliceClusters([]int{math.MinInt, math.MaxInt}, []int{0, 0}, []int{0, 0}, nil)
		}, "at most"},
		{"log", func() (*viz.Figure, error) { return viz.SliceClusters(one, one, one, &viz.Axes{LogX: true}) },
			"logarithmic"},
		{"no processes", func() (*viz.Figure, error) { return viz.Processes(nil, 1, nil) }, "no processes"},
		{"no TR", func() (*viz.Figure, error) {
			return viz.Processes([]viz.Course{{Values: []float64{1}}}, math.NaN(), nil)
		}, "NaN seconds apart"},
		{"empty process", func() (*viz.Figure, error) { return viz.Processes([]viz.Course{{Name: "P"}}, 1, nil) },
			`series "P" has no points`},
		{"band", func() (*viz.Figure, error) {
			return viz.Processes([]viz.Course{{Values: []float64{1}, Lo: []float64{2}, Hi: []float64{1}}}, 1, nil)
		}, "exceeds"},
	} {
		if _, err := c.make(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func ExampleProcesses() {
	fig, err := viz.Processes([]viz.Course{{Name: "Sentence", Values: []float64{0, 0.4, 1, 0.7, 0.2, -0.1}}}, 2.5,
		&viz.Axes{Title: "Sentence"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fig)
	// Output: Sentence (figure of 6.5 × 4.0 inches)
}
