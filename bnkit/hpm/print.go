package hpm

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"bnlab/internal/english"

	"gonum.org/v1/gonum/floats"
)

// printed is how many clusters a model prints by themselves.
const printed = 20

// noise says which voxels have the same variance.
func (m *Model) noise() string {
	if m.VoxelNoise {
		return "by voxel"
	}
	return "by cluster"
}

// String prints the fit and its clusters, of many the first.
func (m *Model) String() string {
	if m == nil || len(m.Clusters) == 0 {
		return "no model"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, noise %s: %s, %s, log-likelihood %.6g nats", m.Sharing, m.noise(),
		english.Count(len(m.Voxels), "voxel"),
		english.Count(m.Trials, "trial"), m.LogLikelihood)
	if m.Interrupted {
		b.WriteString("; interrupted before the partition was final")
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "cluster\tregion\tvoxels\tdetermined\tsweeps\tnoise sd")
	for _, p := range m.Processes {
		fmt.Fprintf(w, "\t%s: peak at", p.Name)
	}
	fmt.Fprintln(w)
	for i, c := range m.Clusters[:min(len(m.Clusters), printed)] {
		variance := pick(m.Variance, c.Voxels)
		fmt.Fprintf(w, "%d\t%s\t%d\t%d of %d values\t%d\t%.4g", i, c.Region, len(c.Voxels), c.Rank, m.values(),
			c.Sweeps, math.Sqrt(floats.Sum(variance)/float64(len(variance))))
		for _, p := range c.Base {
			fmt.Fprintf(w, "\t%s", m.peak(p))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if more := len(m.Clusters) - printed; more > 0 {
		fmt.Fprintf(&b, "and %d clusters more\n", more)
	}
	for _, line := range m.Warnings {
		b.WriteString("warning: " + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// values is the number of values of all processes.
func (m *Model) values() int {
	n := 0
	for _, p := range m.Processes {
		n += p.Length
	}
	return n
}

// peak says where a process is largest, and what it is there, as in "image 9 (2.31)".
func (m *Model) peak(p []float64) string {
	at := 0
	for lag, x := range p {
		if math.Abs(x) > math.Abs(p[at]) {
			at = lag
		}
	}
	if m.ImageSeconds > 0 {
		return fmt.Sprintf("%.3g s (%.3g)", float64(at)*m.ImageSeconds, p[at])
	}
	return fmt.Sprintf("image %d (%.3g)", at+1, p[at])
}

// String prints the score of each region.
func (v *Validation) String() string {
	if v == nil || v.Model == nil {
		return "no validation"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, noise %s: %s", v.Model.Sharing, v.Model.noise(), english.Count(len(v.Folds), "fold"))
	if v.Interrupted {
		b.WriteString("; interrupted before all were complete")
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "region\tvoxels\taverage log score (nats per trial)\tclusters")
	row := func(name string, voxels, clusters int, score float64) {
		text := "n/a" // no fold was complete
		if len(v.Folds) > 0 {
			text = fmt.Sprintf("%.1f", score)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\n", name, voxels, text, clusters)
	}
	for _, r := range v.Regions {
		row(r.Region, r.Voxels, r.Clusters, r.Score)
	}
	if len(v.Regions) > 1 {
		row("all", len(v.Model.Voxels), len(v.Model.Clusters), v.Score)
	}
	w.Flush()
	for _, line := range v.Model.Warnings {
		b.WriteString("warning: " + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
