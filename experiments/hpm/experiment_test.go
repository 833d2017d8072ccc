package hpm

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/hpm"
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny() Config {
	c := ConfigFor(run.Quick)
	c.Sizes, c.HaxbyRuns, c.Standin.Trials, c.RecoveryNoise = []int{6, 8}, []int{2}, 8, []float64{0.5, 8}
	return c
}

func tinyExperiment() run.Experiment { return runtest.With(Experiment{}, tiny(), reproduce) }

// Without data there is the stand-in only.
func TestSameResults(t *testing.T) {
	runtest.WithoutData(t)
	runtest.SameResults(t, func(job *run.Job) (*Results, error) { return Compute(t.Context(), job, tiny()) })
}

// TestSameBytes: of the tables the headers are checked, and the number of rows where it is known:
// two sizes, three models, 24 regions and their sum.
func TestSameBytes(t *testing.T) {
	runtest.WithoutData(t)
	dir, claims := runtest.Once(t, tinyExperiment())
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "hpm-map.png", "hpm-recovery.svg", "n06-fig1-model.png", "n06-fig3-clusters.svg",
		"n06-fig4-processes.png", "n06-tab2-log-score.svg")
	runtest.Tables(t, dir, map[string]runtest.Table{
		"n06-tab2-log-score.csv": {Header: "source,trials,model,mean_log_score,cells,paper_log_score,paper_cells",
			Rows: 3 * 2 * 3},
		"n06-tab3-roi.csv": {Header: "source,roi,voxels,st,sh,hie,cells,paper_st,paper_sh,paper_hie,paper_cells",
			Rows: 1 + 25 + 4},
		"private-n06-fig3-clusters.csv": {Header: "source,voxel,x,y,z,roi,cluster", Rows: 318 + 6 + 113 + 57},
		"n06-fig4-processes.csv":        {Header: "source,cluster,process,image,value"},
		"hpm-recovery.csv": {Header: "noise_sd,model,adjusted_rand_index,log_score,stderr,replicates",
			Rows: 2 * 3},
		"haxby-log-score.csv": {Header: "runs_trained,model,mean_log_score,cells", Rows: 3},
	})
}

func TestErrors(t *testing.T) {
	runtest.WithoutData(t)
	runtest.Refuses(t, Compute, tiny())
}

// TestSources reads the real files. Their counts are checked by verify; here those of Table 3, and
// that an order is an order: the mean of CALC rises after the first stimulus, not before it.
func TestSources(t *testing.T) {
	runtest.WithData(t, "starplus/ and haxby/")
	p := tables(t)
	job := &run.Job{Seed: 1}
	all, err := sources(t.Context(), job, ConfigFor(run.Paper), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fromROI, fromStandin, fromHaxby} {
		s := all[name]
		if s.Missing != nil {
			t.Fatal(s.Missing)
		}
		if _, err := s.Study.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := all[fromStandin].Facts[0].found; got != "those of StarPlus" ||
		len(all[fromStandin].Study.Voxels) != 4698 {
		t.Errorf("stand-in at %s", got)
	}
	roi := all[fromROI].Study
	before, after := 0.0, 0.0
	for _, trial := range roi.Trials {
		before, after = before+trial.Data[0], after+trial.Data[13*len(roi.Voxels)]
	}
	if all[fromROI].names[0] != focus || after-before < 10 {
		t.Errorf("%s: %v at image 1, %v at image 14", all[fromROI].names[0], before/40, after/40)
	}
	if h := all[fromHaxby].Study; h.ImageSeconds != 2.5 || len(h.Trials[0].Onsets) != 8 ||
		h.Trials[0].Onsets[0] != (hpm.Onset{Process: "scissors", Image: 7}) {
		t.Errorf("Haxby: %v s, %v", h.ImageSeconds, h.Trials[0].Onsets)
	}
}

// TestVerify: a file with other counts is an error that says which.
func TestVerify(t *testing.T) {
	s := &Source{name: "x", Facts: []fact{count("runs", 12, 12), {what: "place", found: "anywhere"},
		count("voxels", 530, 529)}}
	if err := s.verify(); err == nil || !strings.Contains(err.Error(), "voxels is 529, want 530") {
		t.Error(err)
	}
}

// TestWithData runs everything on the real files.
func TestWithData(t *testing.T) {
	runtest.WithData(t, "starplus/ and haxby/")
	if testing.Short() {
		t.Skip("twice the time of the other tests")
	}
	_, claims := runtest.Execute(t, tinyExperiment(), 2)
	runtest.Hold(t, claims)
}

// TestGrey: regions out of focus are grey, which clusters in focus are not.
func TestGrey(t *testing.T) {
	filled := regexp.MustCompile(`style="fill:#(..)(..)(..)`)
	m := &hpm.Model{}
	for range clusters {
		m.Clusters = append(m.Clusters, hpm.Cluster{Region: focus})
	}
	number := slices.Sorted(maps.Values(inFocus(m)))
	for _, cluster := range []int{grey, grey + clusters} {
		if slices.Contains(number, cluster%clusters) {
			t.Errorf("cluster %d is out of focus, and in it", cluster)
		}
		f, err := viz.SliceClusters([]int{0}, []int{0}, []int{cluster}, nil)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		all := filled.FindAllSubmatch(svg, -1)
		voxel := all[len(all)-1]
		for _, m := range all {
			if string(m[1]) != "FF" && string(m[1]) != "1E" { // the paper and the ink
				voxel = m
			}
		}
		if string(voxel[1]) != string(voxel[2]) || string(voxel[2]) != string(voxel[3]) {
			t.Errorf("cluster %d has the colour #%s, want a grey", cluster, voxel[1:])
		}
	}
}
