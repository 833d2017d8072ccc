package hpm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/say"
)

// Response returns c_k^v P_k(ℓ), by process and lag: what each process adds to the signal of
// voxel v. It panics on a voxel out of range. (N06 §4.2.)
func (m *Model) Response(v int) [][]float64 {
	c, at := m.find(v)
	out := make([][]float64, len(c.Base))
	for k, p := range c.Base {
		out[k] = slices.Clone(p)
		floats.Scale(c.Amplitude[at][k], out[k])
	}
	return out
}

// find returns the cluster of voxel v, and where in it the voxel is.
func (m *Model) find(v int) (*Cluster, int) {
	for i := range m.Clusters {
		if at, found := slices.BinarySearch(m.Clusters[i].Voxels, v); found {
			return &m.Clusters[i], at
		}
	}
	panic(fmt.Sprintf("hpm: no cluster has voxel %d", v))
}

// Partition returns the number of the cluster of each voxel.
func (m *Model) Partition() []int {
	out := make([]int, len(m.Voxels))
	for i, c := range m.Clusters {
		for _, v := range c.Voxels {
			out[v] = i
		}
	}
	return out
}

// Predict returns the mean of the signal for the onsets of a trial, Images × voxels, without
// nuisance terms. The trial's data are not used. It returns an error for onsets that do not fit
// the model. (N06 §4.2: the mean of the normal distribution of x_nt^v.)
func (m *Model) Predict(t Trial) ([]float64, error) {
	design := Study{Processes: m.Processes, Voxels: m.Voxels, Trials: []Trial{t}}
	if err := checkImages(t.Images, design.trialName(0)); err != nil {
		return nil, err
	}
	design.Trials[0].Data, design.Trials[0].Confounds = make([]float64, t.Images*len(m.Voxels)), nil
	if _, err := design.Check(); err != nil {
		return nil, err
	}
	mean := design.Trials[0].Data
	number := make(map[string]int)
	for k, p := range m.Processes {
		number[p.Name] = k
	}
	for _, c := range m.Clusters {
		for i, v := range c.Voxels {
			onsets := t.Onsets
			if t.VoxelOnsets != nil {
				onsets = t.VoxelOnsets[v]
			}
			for _, o := range onsets {
				k := number[o.Process]
				for lag, p := range c.Base[k][:min(len(c.Base[k]), t.Images-o.Image+1)] {
					mean[(o.Image-1+lag)*len(m.Voxels)+v] += c.Amplitude[i][k] * p
				}
			}
		}
	}
	return mean, nil
}

// Simulate returns a study with the trials of a design and signals drawn from the model:
// Gaussian noise around the predicted mean, independent between images and voxels. The design's
// data and nuisance terms are not used. It returns an error for a nil source and those
// of [Model.Predict].
func (m *Model) Simulate(design []Trial, src rand.Source) (*Study, error) {
	if src == nil {
		return nil, fmt.Errorf("hpm: noise is drawn at random: give a source, as rand.NewPCG(seed, 0)")
	}
	s := &Study{Processes: slices.Clone(m.Processes), Voxels: slices.Clone(m.Voxels), ImageSeconds: m.ImageSeconds,
		Trials: slices.Clone(design)}
	rng := rand.New(src)
	for n := range s.Trials {
		t := &s.Trials[n]
		t.Confounds = nil
		data, err := m.Predict(*t)
		if err != nil {
			return nil, err
		}
		for i := range data {
			data[i] += math.Sqrt(m.Variance[i%len(m.Voxels)]) * rng.NormFloat64()
		}
		t.Data = data
	}
	return s, nil
}

// LogScore returns the log-likelihood of the trials of a study under the model, in nats per trial,
// with nuisance terms projected out. It returns an error for a study that [Study.Check] refuses, and
// for other processes or another number of voxels than the model's. (N06 §5.2.1.)
func (m *Model) LogScore(s *Study) (float64, error) {
	set, _ := (*Settings)(nil).defaults(Voxelwise)
	if _, err := s.Check(); err != nil {
		return 0, err
	}
	if !slices.Equal(s.Processes, m.Processes) || len(s.Voxels) != len(m.Voxels) {
		return 0, say.Errorf("hpm: the model has %d voxels and processes %v, the study %d and %v; score a study of "+
			"the same", len(m.Voxels), m.Processes, len(s.Voxels), s.Processes)
	}
	all := make([]int, len(s.Trials))
	for n := range all {
		all[n] = n
	}
	sums, err := newStatistics(s, [][]int{all}, set)
	if err != nil {
		return 0, err
	}
	errors := make([]float64, len(m.Voxels))
	for _, c := range m.Clusters {
		for i, v := range c.Voxels {
			response := make([]float64, 0, sums.values())
			for k, p := range c.Base {
				for _, x := range p {
					response = append(response, c.Amplitude[i][k]*x)
				}
			}
			b := sums.total.b[v*sums.values():][:sums.values()]
			e := sums.total.y[v] - 2*floats.Dot(response, b) + sums.folds[0].sparse[sums.timing[v]].quadratic(response)
			errors[v] = max(e, 0)
		}
	}
	return logLikelihood(errors, m.Variance, sums.total.images) / float64(len(s.Trials)), nil
}
