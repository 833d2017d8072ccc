package hpm

import (
	"fmt"
	"strings"

	"bnlab/internal/english"
)

// A Loaded is a study that was read from files, and passes [Study.Check]. It prints a summary of what was
// read.
type Loaded struct {
	*Study
	// Source names the kind of file and the files.
	Source string
	// Warnings name what was left out, assumed or moved. [Fit] has those of [Study.Check].
	Warnings []string
}

// warn adds a warning.
func (l *Loaded) warn(format string, args ...any) {
	l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...))
}

// String describes the study in a few lines, then the warnings.
func (l *Loaded) String() string {
	var b strings.Builder
	images := 0
	for _, t := range l.Trials {
		images += t.Images
	}
	fmt.Fprintf(&b, "%s\n%s with %s", l.Source, english.Count(len(l.Trials), "trial"), english.Count(images, "image"))
	if l.ImageSeconds > 0 {
		fmt.Fprintf(&b, " every %v s", l.ImageSeconds)
	}
	var regions []string
	for _, r := range l.regions() {
		name := r.name
		if name == "" {
			name = "no region"
		}
		regions = append(regions, fmt.Sprintf("%s %d", name, len(r.voxels)))
	}
	fmt.Fprintf(&b, "\n%s: %s\n", english.Count(len(l.Voxels), "voxel"), atMost(30, regions))
	begins := make(map[string]int)
	for _, t := range l.Trials {
		for _, o := range t.Onsets {
			begins[o.Process]++
		}
	}
	var processes []string
	for _, p := range l.Processes {
		processes = append(processes, fmt.Sprintf("%s (%s, %s)", p.Name, english.Count(p.Length, "image"),
			english.Count(begins[p.Name], "onset")))
	}
	fmt.Fprintf(&b, "%s: %s\n", english.Count(len(l.Processes), "process"), atMost(30, processes))
	for _, w := range l.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}
