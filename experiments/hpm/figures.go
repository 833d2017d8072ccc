package hpm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/hpm"
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
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
	return viz.Curves(append(curves, points...), &viz.Axes{Title: title, X: x, Y: "average log score (nats per trial)",
		Width: 6, Height: 4.2})
}

// fifth is the slice of N06 Figure 3.
const fifth = 5

// figure3 is N06 Figure 3: the clusters in slice five.
func (r *Results) figure3() (*viz.Figure, error) {
	_, w := r.voxelwise()
	m := w.Validations[hie].Model
	partition := m.Partition()
	var x, y, cluster []int
	for _, v := range slice(w.Study.Voxels, fifth) {
		at := w.Study.Voxels[v]
		x, y, cluster = append(x, at.X), append(y, at.Y), append(cluster, partition[v])
	}
	return viz.SliceClusters(x, y, cluster, &viz.Axes{
		Title: fmt.Sprintf("N06 Figure 3: clusters of HieHPM in slice five (%s; %d in all slices)", w.title,
			len(m.Clusters)), Width: 5.5, Height: 5,
	})
}

// slice lists the voxels of a slice, one at each place: a few StarPlus voxels are in two regions, and the first is
// shown.
func slice(voxels []hpm.Voxel, z int) []int {
	seen := make(map[[2]int]bool)
	var all []int
	for v, at := range voxels {
		if place := [2]int{at.X, at.Y}; at.Z == z && !seen[place] {
			seen[place] = true
			all = append(all, v)
		}
	}
	return all
}

// figure4 is N06 Figure 4: the Sentence processes of the clusters in CALC, without amplitudes, in the colours of
// Figure 3.
func (r *Results) figure4() (*viz.Figure, error) {
	_, w := r.voxelwise()
	m := w.Validations[hie].Model
	var courses []viz.Course
	for i, c := range m.Clusters {
		if c.Region == focus {
			courses = append(courses, viz.Course{Values: c.Base[0], Cluster: i})
		}
	}
	return viz.Processes(courses, m.ImageSeconds, &viz.Axes{
		Title: fmt.Sprintf("N06 Figure 4: %s processes of the %d clusters in %s (%s)", m.Processes[0].Name,
			len(courses), focus, w.title), Y: "base process (signal above baseline)",
	})
}

// figureMap is the greatest response to the sentence in slice five.
func (r *Results) figureMap() (*viz.Figure, error) {
	_, w := r.voxelwise()
	var x, y []int
	var peak []float64
	for _, v := range slice(w.Study.Voxels, fifth) {
		at := w.Study.Voxels[v]
		x, y, peak = append(x, at.X), append(y, at.Y), append(peak, extreme(w.Validations[hie].Model.Response(v)[0]))
	}
	return viz.SliceMap(x, y, peak, "peak of the response (signal above baseline)", &viz.Axes{
		Title: fmt.Sprintf("Response to the sentence in slice five, HieHPM (%s)", w.title), Width: 6, Height: 5,
	})
}

// extreme is the value that is farthest from zero.
func extreme(values []float64) float64 {
	lo, hi := slices.Min(values), slices.Max(values)
	if -lo > hi {
		return lo
	}
	return hi
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
	left, err := viz.Curves(found, &viz.Axes{Title: "Recovery of known clusters, mean and 5 to 95 %",
		X: "standard deviation of the noise", Y: "adjusted Rand index", LogX: true, Width: 6, Height: 4.2})
	if err != nil {
		return nil, err
	}
	right, err := viz.Curves(gain, &viz.Axes{Title: "Held-out trials, mean ± 2 standard errors",
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

// figureHaxbyMap is how much stronger faces are than houses, 5 to 22.5 s after the onset, and the clusters.
func (r *Results) figureHaxbyMap() (*viz.Figure, error) {
	m := r.Haxby.Last[sh].Model
	number := func(name string) int {
		return slices.IndexFunc(m.Processes, func(p hpm.Process) bool { return p.Name == name })
	}
	face, house := number("face"), number("house")
	if face < 0 || house < 0 {
		return nil, fmt.Errorf("hpm: the Haxby study has no process face or house")
	}
	partition := r.Haxby.Last[hie].Model.Partition()
	var x, y []int
	var more []float64
	for v, at := range m.Voxels {
		response := m.Response(v)
		x, y = append(x, at.X), append(y, at.Y)
		more = append(more, stat.Mean(response[face][2:10], nil)-stat.Mean(response[house][2:10], nil))
	}
	left, err := viz.SliceMap(x, y, more, "face minus house (% of the mean)",
		&viz.Axes{Title: "Haxby: faces against houses, 5 to 22.5 s after the onset, ShHPM", Width: 6, Height: 3.6})
	if err != nil {
		return nil, err
	}
	right, err := viz.SliceClusters(x, y, partition,
		&viz.Axes{Title: fmt.Sprintf("Haxby: clusters of HieHPM, one variance each (%d)",
			len(r.Haxby.Last[hie].Model.Clusters)), Width: 6, Height: 3.6})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
