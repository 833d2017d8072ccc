package hpm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/hpm"
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
	"bnlab/internal/english"
)

// figure1 is N06 Figure 1 with real processes: those of the mean of CALC, the first of the seven regions, or
// else of the stand-in's first voxel. The sentence comes at image 1, the picture at 17, and the signal is
// their sum; the second process goes on after the trial has ended.
func (r *Results) figure1() (*viz.Figure, error) {
	c, ok := r.on(fromROI)
	what := "mean of " + focus + " over trials and voxels, StarPlus"
	if !ok {
		c, _ = r.on(fromStandin)
		what = "a voxel of the stand-in"
	}
	response := c.Last[st].Model.Response(0)
	var first, second, sum viz.Series
	first.Name, second.Name, sum.Name = sentence+", at image 1", picture+", at image 17",
		"signal of the voxel without noise"
	for image := 1; image < secondOnset+images; image++ {
		total := 0.0
		for _, p := range []struct {
			s     *viz.Series
			lag   int
			value []float64
		}{{&first, image - 1, response[0]}, {&second, image - secondOnset, response[1]}} {
			if p.lag >= 0 && p.lag < images {
				p.s.X, p.s.Y = append(p.s.X, float64(image)), append(p.s.Y, p.value[p.lag])
				total += p.value[p.lag]
			}
		}
		if image <= images {
			sum.X, sum.Y = append(sum.X, float64(image)), append(sum.Y, total)
		}
	}
	return viz.Curves([]viz.Series{first, second, sum}, &viz.Axes{
		Title: "N06 Figure 1: a trial with the sentence first (" + what + ")",
		X:     "image (0.5 s each; the trial ends at 32)", Y: "signal above baseline",
	})
}

// figureTable2 is N06 Table 2, a panel for each source, with the paper's numbers as points.
func (r *Results) figureTable2() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, c := range r.Table2 {
		panel, err := r.scores(c, c.title+": held-out trials", "trials, including the held-out pair", 0)
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// scores draws a course over its sizes less some.
func (r *Results) scores(c *Course, title, x string, less int) (*viz.Figure, error) {
	var curves, points []viz.Series
	for m, model := range models {
		curve, paper := viz.Series{Name: model.name}, viz.Series{As: model.name, Points: true}
		for k, n := range c.Sizes {
			curve.X, curve.Y = append(curve.X, float64(n-less)), append(curve.Y, c.Score[m][k])
			if p, ok := r.Published.trials(n); ok && (c.name == fromVoxels || c.name == fromStandin) {
				paper.X, paper.Y = append(paper.X, float64(n)), append(paper.Y, p.score[m])
			}
		}
		curves = append(curves, curve)
		if paper.X != nil {
			points = append(points, paper)
		}
	}
	if points != nil {
		points[0].Name = "published (other data on the stand-in)"
		if c.name == fromVoxels {
			points[0].Name = "published"
		}
	}
	return looks.Curves(append(curves, points...), &viz.Axes{Title: title, X: x,
		Y: "average log score (nats per trial)", Width: 6, Height: 4.2})
}

// fifth is the slice of N06 Figure 3.
const fifth = 5

// grey is a cluster that viz draws in light grey, and so are those that are 21 higher.
const (
	grey     = 10
	clusters = 21 // colours of viz
)

// figure3 is N06 Figure 3: the clusters in slice five. Those of CALC have the colours of Figure 4; there are more
// clusters than colours, so the others are grey, with lines between them.
func (r *Results) figure3() (*viz.Figure, error) {
	_, w := r.voxelwise()
	m := w.Validations[hie].Model
	partition, number := m.Partition(), inFocus(m)
	var x, y, cluster []int
	for _, v := range slice(w.Study.Voxels, fifth) {
		at := w.Study.Voxels[v]
		x, y = append(x, at.X), append(y, at.Y)
		if k, ok := number[partition[v]]; ok {
			cluster = append(cluster, k)
		} else {
			cluster = append(cluster, grey+clusters*partition[v])
		}
	}
	return viz.SliceClusters(x, y, cluster, &viz.Axes{
		Title: fmt.Sprintf("N06 Figure 3: clusters of HieHPM in slice five, those of %s in colour (%s; %d in all "+
			"slices)", focus, w.title, len(m.Clusters)), Width: 5.5, Height: 5,
	})
}

// inFocus numbers the clusters of CALC by colours of viz, without the pale blue, which is like another, and the grey.
func inFocus(m *hpm.Model) map[int]int {
	const pale = 7
	number, next := make(map[int]int), 0
	for i, c := range m.Clusters {
		if c.Region == focus {
			number[i] = next
			for next++; next%clusters == pale || next%clusters == grey; next++ {
			}
		}
	}
	return number
}

// places lists voxels, one at each place: a few StarPlus voxels are in two regions, and the first is shown.
func places(voxels []hpm.Voxel) []int {
	seen := make(map[[3]int]bool)
	var all []int
	for v, at := range voxels {
		if place := [3]int{at.X, at.Y, at.Z}; !seen[place] {
			seen[place] = true
			all = append(all, v)
		}
	}
	return all
}

// slice lists the voxels of a slice, one at each place.
func slice(voxels []hpm.Voxel, z int) []int {
	return slices.DeleteFunc(places(voxels), func(v int) bool { return voxels[v].Z != z })
}

// sidesOf tells the sides at the least and the greatest x from the names of regions: those of LIPL and RIPL, say.
func sidesOf(voxels []hpm.Voxel) [2]string {
	x, n := make(map[string]float64), make(map[string]float64)
	for _, v := range voxels {
		x[v.Region] += float64(v.X)
		n[v.Region]++
	}
	more := 0.0 // how much farther along x right regions are than left ones
	for _, region := range slices.Sorted(maps.Keys(n)) {
		if other := "L" + strings.TrimPrefix(region, "R"); region[:min(1, len(region))] == "R" && n[other] > 0 {
			more += x[region]/n[region] - x[other]/n[other]
		}
	}
	switch {
	case more > 0:
		return [2]string{"L", "R"}
	case more < 0:
		return [2]string{"R", "L"}
	}
	return [2]string{}
}

// layer is some values at the places of voxels.
func layer(voxels []hpm.Voxel, values []float64) viz.Layer {
	var l viz.Layer
	for _, v := range places(voxels) {
		l.X, l.Y, l.Z = append(l.X, voxels[v].X), append(l.Y, voxels[v].Y), append(l.Z, voxels[v].Z)
		l.Values = append(l.Values, values[v])
	}
	return l
}

// figure4 is N06 Figure 4: the Sentence processes of the clusters in CALC, without amplitudes, in the colours of
// Figure 3. More than six are in two panels of one scale.
func (r *Results) figure4() (*viz.Figure, error) {
	_, w := r.voxelwise()
	m := w.Validations[hie].Model
	number := inFocus(m)
	var courses []viz.Course
	var values []float64
	for i, c := range m.Clusters {
		if k, ok := number[i]; ok {
			courses = append(courses, viz.Course{Name: english.Count(len(c.Voxels), "voxel"), Values: c.Base[0],
				Cluster: k})
			values = append(values, c.Base[0]...)
		}
	}
	a := &viz.Axes{Title: fmt.Sprintf("N06 Figure 4: %s processes in %s (%s)", m.Processes[0].Name, focus, w.title),
		Y: "base process (signal above baseline)"}
	if len(courses) <= 6 {
		return viz.Processes(courses, m.ImageSeconds, a)
	}
	room := (floats.Max(values) - floats.Min(values)) / 25
	a.YRange, a.Width, a.Height = [2]float64{floats.Min(values) - room, floats.Max(values) + room}, 5.1, 4
	var panels []*viz.Figure
	half := (len(courses) + 1) / 2
	for _, part := range [][]viz.Course{courses[:half], courses[half:]} {
		panel, err := viz.Processes(part, m.ImageSeconds, a)
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
		a.Title = fmt.Sprintf("the others of the %d clusters, on the same scale", len(courses))
	}
	return viz.Row(panels...)
}

// figureMap is how much stronger the response to the sentence is than that to the picture, 2.5 to 8 s after the onset,
// in all slices.
func (r *Results) figureMap() (*viz.Figure, error) {
	_, w := r.voxelwise()
	m := w.Validations[hie].Model
	more, err := m.Contrast(sentence, picture, 5, 17)
	if err != nil {
		return nil, err
	}
	return viz.ContrastMap(viz.Layer{}, layer(m.Voxels, more), &viz.ContrastOptions{
		Title:    fmt.Sprintf("Sentence against picture, 2.5 to 8 s after the onset, HieHPM (%s)", w.title),
		Quantity: "sentence minus picture (signal)", Threshold: 0.5, Sides: w.Study.Sides,
	})
}

// figureDesign is the design matrix of the first four trials.
func (r *Results) figureDesign() (*viz.Figure, error) {
	c, _ := r.voxelwise()
	d, err := c.Study.Only([]int{0, 1, 2, 3}).Design(0)
	if err != nil {
		return nil, err
	}
	return viz.DesignMatrix(d.Rows, d.Columns, d.Trials, &viz.Axes{
		Title: "Design of four trials: sentence and picture in either order", Y: "image",
		X: "images of 0.5 s since the onset"})
}

// figureRecovery is how well clusters are found, and how well trials predicted, by noise.
func (r *Results) figureRecovery() (*viz.Figure, error) {
	var found, gain []viz.Series
	for m, model := range models {
		index, above := viz.Series{Name: model.name}, viz.Series{Name: model.name}
		for _, one := range r.Recovery {
			b := run.NewBand(one.Rand[m])
			index.X, index.Y = append(index.X, one.NoiseSD), append(index.Y, b.Mean)
			index.Lo, index.Hi = append(index.Lo, b.P05), append(index.Hi, b.P95)
			more := floats.SubTo(make([]float64, len(one.Score[m])), one.Score[m], one.Score[st])
			mean, sd := stat.MeanStdDev(more, nil)
			stderr := sd / math.Sqrt(float64(len(more)))
			above.X, above.Y = append(above.X, one.NoiseSD), append(above.Y, mean)
			above.Lo, above.Hi = append(above.Lo, mean-2*stderr), append(above.Hi, mean+2*stderr)
		}
		found = append(found, index)
		gain = append(gain, above)
	}
	left, err := looks.Curves(found, &viz.Axes{Title: "Recovery of known clusters, mean and 5 to 95 %",
		X: "standard deviation of the noise", Y: "adjusted Rand index", LogX: true, Width: 6, Height: 4.2})
	if err != nil {
		return nil, err
	}
	right, err := looks.Curves(gain, &viz.Axes{Title: "Held-out trials, mean ± 2 standard errors",
		X: "standard deviation of the noise", Y: "log score over StHPM (nats per trial)", LogX: true, Width: 6,
		Height: 4.2})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}

// figureResponses is what sentence and picture do to the means of four regions, with two standard errors.
func (r *Results) figureResponses() (*viz.Figure, error) {
	c, _ := r.on(fromROI)
	all := responses(c.Last[st].Model)
	var panels []*viz.Figure
	for k, p := range c.Study.Processes {
		var courses []viz.Course
		for v, name := range c.names[:4] {
			values, stderr := all[v][k], r.StdErr[v][k]
			courses = append(courses, viz.Course{Name: name, Values: values, Cluster: v,
				Lo: floats.AddScaledTo(make([]float64, images), values, -2, stderr),
				Hi: floats.AddScaledTo(make([]float64, images), values, 2, stderr)})
		}
		panel, err := viz.Processes(courses, imageSeconds,
			&viz.Axes{Title: p.Name + ": mean responses of regions ± 2 standard errors (StarPlus)",
				Y: "signal above baseline", Width: 6, Height: 4.2})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// figureHaxby is leave-one-run-out by the runs to learn from.
func (r *Results) figureHaxby() (*viz.Figure, error) {
	return r.scores(r.Haxby, "Haxby: held-out runs, 530 voxels of a slice", "runs to learn from", 1)
}

// figureHaxbyMap is how much stronger faces are than houses, 5 to 22.5 s after the onset, over the mean image; and the
// noise of voxels, with lines between the clusters.
func (r *Results) figureHaxbyMap() (*viz.Figure, error) {
	m := r.Haxby.Last[sh].Model
	more, err := m.Contrast("face", "house", 2, 10)
	if err != nil {
		return nil, err
	}
	left, err := viz.ContrastMap(r.Haxby.Ground, layer(m.Voxels, more), &viz.ContrastOptions{
		Title:    "Faces against houses, 5 to 22.5 s after the onset (Haxby, ShHPM)",
		Quantity: "face minus house (% of the mean)", Threshold: 0.5, Limit: max(mostOf(more), 1),
		Sides: r.Haxby.Study.Sides, Width: 5.1})
	if err != nil {
		return nil, err
	}
	var sd []float64
	for _, v := range r.Variants {
		if v.name == fromHaxby && v.Noise == byVoxel && v.Model == sh {
			for _, variance := range v.Variance {
				sd = append(sd, math.Sqrt(variance))
			}
		}
	}
	split := r.Haxby.Last[hie].Model
	right, err := viz.ContrastMap(r.Haxby.Ground, layer(m.Voxels, sd), &viz.ContrastOptions{
		Title:    fmt.Sprintf("Noise of each voxel, and the %d clusters of HieHPM", len(split.Clusters)),
		Quantity: "standard deviation (% of the mean)", Sides: r.Haxby.Study.Sides, Width: 5.1,
		Limit: mostOf(sd), Clusters: split.Partition()})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}

// mostOf is a distance from zero that one in twenty exceeds: voxels at the edge of the brain are few and vary most.
func mostOf(values []float64) float64 {
	var far []float64
	for _, v := range values {
		far = append(far, math.Abs(v))
	}
	slices.Sort(far)
	return stat.Quantile(0.95, stat.Empirical, far, nil)
}
