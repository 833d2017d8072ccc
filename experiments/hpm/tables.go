package hpm

import (
	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
)

// absent stands in tables for what needs data that cannot be had.
const absent = "n/a"

// starplusSources are those with the design of N06, in the order of tables.
var starplusSources = [3]string{fromVoxels, fromROI, fromStandin}

// table2 is N06 Table 2. The paper's numbers stand beside the sources that are about the same voxels.
func (r *Results) table2() *run.Table {
	t := run.NewTable("source", "trials", "model", "mean_log_score", "cells", "paper_log_score", "paper_cells")
	for _, name := range starplusSources {
		c, ok := r.on(name)
		for _, size := range r.Config.Sizes {
			for m, model := range models {
				var score, cells any = absent, absent
				if ok {
					score, cells, _ = pair(c.at(m, size))
				}
				var paper, paperCells any = "", ""
				if p, ok := r.Published.trials(size); ok && name != fromROI {
					paper = p.score[m]
					if m == hie {
						paperCells = p.cells
					}
				}
				t.Append(name, size, model.name, score, cells, paper, paperCells)
			}
		}
	}
	return t
}

func pair(score float64, cells int, ok bool) (any, any, bool) { return score, cells, ok }

// table3 is N06 Table 3, with the sum over regions in its last row, or the seven means in one.
func (r *Results) table3() *run.Table {
	t := run.NewTable("source", "roi", "voxels", "st", "sh", "hie", "cells", "paper_st", "paper_sh", "paper_hie",
		"paper_cells")
	if c, ok := r.on(fromROI); ok {
		v := c.Last
		t.Append(fromROI, meansRegion, len(c.Study.Voxels), v[st].Score, v[sh].Score, v[hie].Score,
			len(v[hie].Model.Clusters), "", "", "", "")
	} else {
		t.Append(fromROI, meansRegion, 7, absent, absent, absent, absent, "", "", "", "")
	}
	for _, name := range []string{fromVoxels, fromStandin} {
		w := r.wholeOf(name)
		for _, p := range r.Published.table3 {
			if w == nil {
				t.Append(name, p.name, p.size, absent, absent, absent, absent, p.score[st], p.score[sh], p.score[hie],
					p.cells)
			} else if part, ok := w.region(p.name); ok {
				t.Append(name, p.name, part[st].Voxels, part[st].Score, part[sh].Score, part[hie].Score,
					part[hie].Clusters, p.score[st], p.score[sh], p.score[hie], p.cells)
			}
		}
		p := r.Published.whole
		switch {
		case w == nil:
			t.Append(name, p.name, p.size, absent, absent, absent, absent, p.score[st], p.score[sh], p.score[hie],
				p.cells)
		case r.Config.Regions == nil:
			v := w.Validations
			t.Append(name, p.name, len(w.Study.Voxels), v[st].Score, v[sh].Score, v[hie].Score,
				len(v[hie].Model.Clusters), p.score[st], p.score[sh], p.score[hie], p.cells)
		}
	}
	return t
}

// wholeOf finds Table 3 of a source; nil without data.
func (r *Results) wholeOf(name string) *Whole {
	for _, w := range r.Table3 {
		if w.name == name {
			return w
		}
	}
	return nil
}

// partitions are the hierarchical models of each source, all its trials used.
func (r *Results) partitions() []part {
	var all []part
	for _, w := range r.Table3 {
		all = append(all, part{w.Source, w.Study, w.Validations[hie].Model})
	}
	for _, c := range r.Table2 {
		if c.name == fromROI {
			all = append(all, part{c.Source, c.Study, c.Last[hie].Model})
		}
	}
	if r.Haxby != nil {
		all = append(all, part{r.Haxby.Source, r.Haxby.Study, r.Haxby.Last[hie].Model})
	}
	return all
}

// A part is a source with a partition of its voxels.
type part struct {
	*Source
	study *hpm.Study
	model *hpm.Model
}

// clusterTable is N06 Figure 3, for all slices. Voxels and clusters are numbered from 1.
func (r *Results) clusterTable() *run.Table {
	t := run.NewTable("source", "voxel", "x", "y", "z", "roi", "cluster")
	for _, p := range r.partitions() {
		for v, c := range p.model.Partition() {
			at := p.study.Voxels[v]
			region := at.Region
			if p.names != nil {
				region = p.names[v]
			}
			t.Append(p.name, v+1, at.X, at.Y, at.Z, region, c+1)
		}
	}
	return t
}

// processTable is N06 Figure 4 for all processes: the base processes of the clusters in CALC, or of those of the seven
// means. Images are counted from the onset, from 1.
func (r *Results) processTable() *run.Table {
	t := run.NewTable("source", "cluster", "process", "image", "value")
	for _, p := range r.partitions() {
		for i, c := range p.model.Clusters {
			if c.Region != focus && c.Region != meansRegion {
				continue
			}
			for k, base := range c.Base {
				for lag, x := range base {
					t.Append(p.name, i+1, p.model.Processes[k].Name, lag+1, x)
				}
			}
		}
	}
	return t
}

// haxbyTable is leave-one-run-out by the number of runs to learn from.
func (r *Results) haxbyTable() *run.Table {
	t := run.NewTable("runs_trained", "model", "mean_log_score", "cells")
	for _, runs := range r.Config.HaxbyRuns {
		for m, model := range models {
			if r.Haxby == nil {
				t.Append(runs, model.name, absent, absent)
				continue
			}
			score, cells, _ := r.Haxby.at(m, runs+1)
			t.Append(runs, model.name, score, cells)
		}
	}
	return t
}

// sourceTable is what was read.
func (r *Results) sourceTable() *run.Table {
	t := run.NewTable("source", "data", "what", "expected", "found")
	for _, name := range []string{fromVoxels, fromROI, fromStandin, fromHaxby} {
		s := r.Sources[name]
		if s.Missing != nil {
			t.Append(name, string(s.kind), "the files", "", "not at hand")
		}
		for _, f := range s.Facts {
			t.Append(name, string(s.kind), f.what, f.want, f.found)
		}
	}
	return t
}

// responseTable is what each stimulus adds to the means of the seven regions (voxelwise), with its standard
// error by the jackknife over pairs of trials.
func (r *Results) responseTable() *run.Table {
	t := run.NewTable("source", "roi", "process", "image", "value", "stderr")
	c, ok := r.on(fromROI)
	if !ok {
		t.Append(fromROI, absent, absent, absent, absent, absent)
		return t
	}
	for v, processes := range responses(c.Last[st].Model) {
		for k, p := range processes {
			for lag, x := range p {
				t.Append(fromROI, c.names[v], c.Study.Processes[k].Name, lag+1, x, r.StdErr[v][k][lag])
			}
		}
	}
	return t
}

// sweepTable is how often Algorithm 2 repeated its two steps.
func (r *Results) sweepTable() *run.Table {
	t := run.NewTable("source", "roi", "tolerance", "sweeps")
	for _, e := range r.Efforts {
		t.Append(e.name, e.Region, e.Tolerance, e.Sweeps)
	}
	return t
}

// noiseTable compares one variance for each cluster with one for each voxel.
func (r *Results) noiseTable() *run.Table {
	t := run.NewTable("source", "trials", "noise", "model", "mean_log_score", "cells")
	for _, v := range r.Variants {
		t.Append(v.name, v.Trials, v.Noise, models[v.Model].name, v.Score, v.Cells)
	}
	return t
}
