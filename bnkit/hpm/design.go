package hpm

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/say"
)

// A Design is the matrix of the linear model of a voxel: its signal is Rows times the values of the processes and the
// coefficients of the nuisance terms, and noise. viz.DesignMatrix draws it.
type Design struct {
	// Rows are by image, trial after trial, and column. An entry of a process counts how often it shows that value.
	Rows [][]float64
	// Columns name the process of each column, with a column for each lag; then come the nuisance terms of each run.
	Columns []string
	// Trials name the trial of each row, neighbouring ones by different names.
	Trials []string
}

// Design returns the design matrix of a voxel, by number; it matters where voxels have onsets of their own. Nuisance
// terms are those that are projected out: orthogonal within a run, here with 1 as the greatest entry. (N06 §4.2; for
// one voxel the columns of its NTV × KT matrix A, without amplitudes.)
//
// It returns an error for a voxel that there is not, and those of [Study.Check].
func (s *Study) Design(voxel int) (*Design, error) {
	if voxel < 0 || voxel >= len(s.Voxels) {
		return nil, fmt.Errorf("hpm: the design of voxel %d; the voxels are 0 to %d", voxel, len(s.Voxels)-1)
	}
	if _, err := s.Check(); err != nil {
		return nil, err
	}
	p := &statistics{study: s, starts: []int{0}}
	d := &Design{}
	for _, process := range s.Processes {
		p.starts = append(p.starts, p.values()+process.Length)
		for range process.Length {
			d.Columns = append(d.Columns, process.Name)
		}
	}
	p.time()
	first := make([]int, len(s.Trials)) // row of each trial
	for n := range s.Trials {
		first[n] = len(d.Rows)
		name := s.rowName(n)
		for _, shows := range p.active([]*Trial{&s.Trials[n]}, p.timing[voxel]) {
			row := make([]float64, p.values())
			for _, j := range shows {
				row[j]++
			}
			d.Rows, d.Trials = append(d.Rows, row), append(d.Trials, name)
		}
	}
	if s.Nuisance.any() {
		for _, run := range s.LeaveOneRunOut() {
			d.nuisance(s, run, first)
		}
	}
	return d, nil
}

// rowName is the name of a trial beside its rows, with its number where a neighbour is called the same.
func (s *Study) rowName(n int) string {
	name := s.ownName(n)
	if n > 0 && s.ownName(n-1) == name || n+1 < len(s.Trials) && s.ownName(n+1) == name {
		return fmt.Sprintf("%s (trial %d)", name, n)
	}
	return name
}

// ownName is that of a trial, or of its run where it is the whole of it.
func (s *Study) ownName(n int) string {
	t := &s.Trials[n]
	others := func(o Trial) bool { return o.Run == t.Run }
	switch first := slices.IndexFunc(s.Trials, others); {
	case t.Run != "" && first == n && !slices.ContainsFunc(s.Trials[n+1:], others):
		return "run " + t.Run
	case t.Name != "":
		return t.Name
	}
	return fmt.Sprintf("trial %d", n)
}

// nuisance adds the terms of a run.
func (d *Design) nuisance(s *Study, run, first []int) {
	trials := pick(s.Trials, run)
	var at []*Trial
	for i := range trials {
		at = append(at, &trials[i])
	}
	name := s.trialName(run[0])
	if s.Trials[run[0]].Run != "" {
		name = "run " + s.Trials[run[0]].Run
	}
	for _, term := range s.Nuisance.basis(at) {
		floats.Scale(1/max(floats.Max(term), -floats.Min(term)), term)
		for i := range d.Rows {
			d.Rows[i] = append(d.Rows[i], 0)
		}
		for i, n := range run {
			for image := range trials[i].Images {
				row := d.Rows[first[n]+image]
				row[len(row)-1], term = term[0], term[1:]
			}
		}
		d.Columns = append(d.Columns, "nuisance, "+name)
	}
}

// Mean returns the mean signal of each voxel over all images, a picture of what was scanned; viz.ContrastMap draws
// contrasts over it. Take it of the study before [Study.PercentSignalChange]. It returns an error for what
// [Study.Check] refuses.
func (s *Study) Mean() ([]float64, error) {
	if _, err := s.Check(); err != nil {
		return nil, err
	}
	mean, images := make([]float64, len(s.Voxels)), 0
	for _, t := range s.Trials {
		images += t.Images
		for image := range t.Images {
			floats.Add(mean, t.Data[image*len(mean):][:len(mean)])
		}
	}
	floats.Scale(1/float64(images), mean)
	return mean, nil
}

// Contrast returns, for each voxel, how much stronger the response to one process is than that to another: the mean of
// the difference over the lags from … to−1, in images since the onset. An empty other is no response, for the mean
// response itself. It returns an error for a process that the model has not, and lags that one of them has not.
// (N06 §4.2: c_k^v P_k is the response.)
func (m *Model) Contrast(process, other string, from, to int) ([]float64, error) {
	out := make([]float64, len(m.Voxels))
	names := []string{process, other}
	if other == "" {
		names = names[:1]
	} else if process == other {
		return nil, say.Errorf("hpm: a contrast of %s with itself is 0; name two processes, or one and \"\"", other)
	}
	for i, name := range names {
		k := slices.IndexFunc(m.Processes, func(p Process) bool { return p.Name == name })
		if k < 0 {
			var known []string
			for _, p := range m.Processes {
				known = append(known, p.Name)
			}
			return nil, say.Errorf("hpm: the model has no process %q (processes: %s)", name, atMost(40, known))
		}
		if from < 0 || to <= from || to > m.Processes[k].Length {
			return nil, say.Errorf("hpm: a contrast over the lags %d to %d; %s has 0 to %d: give 0 ≤ from < to ≤ %d",
				from, to-1, name, m.Processes[k].Length-1, m.Processes[k].Length)
		}
		for _, c := range m.Clusters {
			mean := floats.Sum(c.Base[k][from:to]) / float64(to-from)
			if i == 1 {
				mean = -mean
			}
			for j, v := range c.Voxels {
				out[v] += c.Amplitude[j][k] * mean
			}
		}
	}
	return out, nil
}
