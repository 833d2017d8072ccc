package hpm

import (
	"context"

	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// Experiment is the runner's entry.
type Experiment struct{}

var _ run.Experiment = Experiment{}

// Info implements [run.Experiment].
func (Experiment) Info() run.Info {
	return run.Info{ID: "hpm", Title: "Hidden process models of fMRI: voxelwise, shared, hierarchical",
		Paper: "N06 §4.2, §5.2", Notebook: "07-hpm"}
}

// Config implements [run.Experiment].
func (Experiment) Config(p run.Profile) any { return ConfigFor(p) }

// Run implements [run.Experiment].
func (Experiment) Run(ctx context.Context, job *run.Job) error {
	c, err := run.Configured(job, ConfigFor)
	if err != nil {
		return err
	}
	return reproduce(ctx, job, c)
}

// Results are all that the experiment computes. Of a source without data there are no parts.
type Results struct {
	Config    Config
	Published published
	Sources   map[string]*Source

	Table2    []*Course // starplus-voxels, starplus-roi, stand-in
	Table3    []*Whole  // starplus-voxels, stand-in
	Haxby     *Course   // nil without data
	Efforts   []Effort
	Variants  []Variant
	Recovery  []Recovery
	Unequal   Unequal
	Saturated Saturated
	// StdErr is the standard error of the responses in the means of seven regions, by region, process and
	// lag; nil without data.
	StdErr [][][]float64
}

// Compute runs all parts. Results depend on the job's seed only, and on which data can be had.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	job.Step("read the data")
	if r.Published, err = publishedTables(); err != nil {
		return nil, err
	}
	if r.Sources, err = sources(ctx, job, c, r.Published); err != nil {
		return nil, err
	}
	for _, name := range []string{fromVoxels, fromROI, fromStandin} {
		if err := r.starplus(ctx, job, r.Sources[name]); err != nil {
			return nil, err
		}
	}
	if err := r.haxby(ctx, job, r.Sources[fromHaxby]); err != nil {
		return nil, err
	}
	if r.Recovery, err = recovery(ctx, job, c); err != nil {
		return nil, err
	}
	if r.Unequal, err = unequal(ctx, job, c); err != nil {
		return nil, err
	}
	r.Saturated, err = saturation(ctx, job, c, r.Published)
	return r, err
}

// starplus computes what N06 has of a source with its design.
func (r *Results) starplus(ctx context.Context, job *run.Job, s *Source) error {
	if s.Missing != nil {
		return nil
	}
	study, err := s.Study, error(nil)
	if s.name != fromROI {
		if study, err = s.Study.Region(focus); err != nil {
			return err
		}
	}
	folds := study.LeaveOneOfEachOut()
	table2, err := course(ctx, job, s, study, folds, r.Config.Sizes)
	if err != nil {
		return err
	}
	r.Table2 = append(r.Table2, table2)
	if s.name == fromROI {
		if r.StdErr, err = jackknife(ctx, study, folds); err != nil {
			return err
		}
	} else {
		table3, err := whole(ctx, job, s)
		if err != nil {
			return err
		}
		r.Table3 = append(r.Table3, table3)
	}
	return r.further(ctx, job, table2, folds, r.Config.Sizes[len(r.Config.Sizes)-1])
}

// haxby computes the same for runs.
func (r *Results) haxby(ctx context.Context, job *run.Job, s *Source) error {
	if s.Missing != nil {
		return nil
	}
	folds := s.Study.LeaveOneRunOut()
	sizes := make([]int, len(r.Config.HaxbyRuns))
	for i, n := range r.Config.HaxbyRuns {
		sizes[i] = n + 1 // one is held out
	}
	var err error
	if r.Haxby, err = course(ctx, job, s, s.Study, folds, sizes); err != nil {
		return err
	}
	return r.further(ctx, job, r.Haxby, folds, sizes[min(1, len(sizes)-1)])
}

// further counts sweeps and compares kinds of noise at a size.
func (r *Results) further(ctx context.Context, job *run.Job, c *Course, folds [][]int, size int) error {
	e, err := efforts(ctx, job, c.Source)
	if err != nil {
		return err
	}
	part, err := only(c.Study, folds, size)
	if err != nil {
		return err
	}
	v, err := variants(ctx, job, c, part, size)
	r.Efforts, r.Variants = append(r.Efforts, e...), append(r.Variants, v...)
	return err
}

// reproduce computes and writes everything.
func reproduce(ctx context.Context, job *run.Job, c Config) error {
	r, err := Compute(ctx, job, c)
	if err != nil {
		return err
	}
	job.Step("summarise and write")
	for _, t := range []struct {
		name  string
		table *run.Table
	}{
		{"n06-tab2-log-score.csv", r.table2()},
		{"n06-tab3-roi.csv", r.table3()},
		{"private-n06-fig3-clusters.csv", r.clusterTable()},
		{"n06-fig4-processes.csv", r.processTable()},
		{"n06-equivalent-trials.csv", r.equivalentTable()},
		{"hpm-saturated.csv", r.saturatedTable()},
		{"hpm-recovery.csv", r.recoveryTable()},
		{"hpm-unequal-noise.csv", r.unequalTable()},
		{"hpm-noise.csv", r.noiseTable()},
		{"hpm-noise-identity.csv", r.gapTable()},
		{"hpm-advantage.csv", r.advantageTable()},
		{"hpm-sweeps.csv", r.sweepTable()},
		{"hpm-responses.csv", r.responseTable()},
		{"hpm-sources.csv", r.sourceTable()},
		{"haxby-log-score.csv", r.haxbyTable()},
	} {
		if err := job.SaveTable(t.name, t.table); err != nil {
			return err
		}
	}
	if err := r.figures(job); err != nil {
		return err
	}
	return r.claims(job)
}

// figures draws and saves what there are data for.
func (r *Results) figures(job *run.Job) error {
	_, roi := r.on(fromROI)
	for _, f := range []struct {
		name string
		draw func() (*viz.Figure, error)
		show bool
	}{
		{"n06-fig1-model", r.figure1, true},
		{"hpm-design", r.figureDesign, true},
		{"n06-tab2-log-score", r.figureTable2, true},
		{"n06-fig3-clusters", r.figure3, true},
		{"n06-fig4-processes", r.figure4, true},
		{"hpm-map", r.figureMap, true},
		{"hpm-recovery", r.figureRecovery, true},
		{"hpm-responses", r.figureResponses, roi},
		{"haxby-log-score", r.figureHaxby, r.Haxby != nil},
		{"haxby-map", r.figureHaxbyMap, r.Haxby != nil},
	} {
		if !f.show {
			continue
		}
		figure, err := f.draw()
		if err != nil {
			return err
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return nil
}

// on finds Table 2 of a source.
func (r *Results) on(name string) (*Course, bool) {
	for _, c := range r.Table2 {
		if c.name == name {
			return c, true
		}
	}
	return nil, false
}

// voxelwise is the source that stands for the voxels of StarPlus: they themselves, or the stand-in without
// them.
func (r *Results) voxelwise() (*Course, *Whole) {
	if c, ok := r.on(fromVoxels); ok {
		return c, r.Table3[0]
	}
	c, _ := r.on(fromStandin)
	return c, r.Table3[len(r.Table3)-1]
}
