package hpm

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// statistics are the sufficient statistics of a study, for each fold and over all of them. They are sums over
// trials, the normal equations X'X and X'y behind the least-squares estimate of the processes' values (N06 §4.2,
// Algorithm 2).
type statistics struct {
	study  *Study
	starts []int // the values of process k are starts[k] … starts[k+1] of a vector of all
	owner  []int // the process of each value
	// timing gives each voxel a class, and voxels of one class have the same onsets throughout.
	timing  []int
	classes [][]int // voxels of each
	folds   []*sums
	total   *sums

	knowing sync.Mutex
	known   []*design // the first that samples have had
}

// sums are those over some trials. Signal and processes are free of nuisance terms.
type sums struct {
	trials  int
	images  int         // values of each voxel, less one for each nuisance term
	gram    [][]float64 // G of each timing class, values × values
	sparse  []sparse    // the same, for single folds
	grouped []grouped   // and by pairs of processes
	b       []float64   // voxels × values
	y       []float64   // by voxel
}

// newStatistics sums the trials of each fold.
func newStatistics(s *Study, folds [][]int, set *Settings) (*statistics, error) {
	p := &statistics{study: s, starts: []int{0}, folds: make([]*sums, len(folds))}
	for k, process := range s.Processes {
		p.starts = append(p.starts, p.values()+process.Length)
		for range process.Length {
			p.owner = append(p.owner, k)
		}
	}
	p.time()
	failed := make([]error, len(folds))
	pool.Each(len(folds), set.Workers, func(f int) { p.folds[f], failed[f] = p.sum(folds[f]) })
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	p.total = p.zero()
	for _, f := range p.folds {
		p.total.trials += f.trials
		p.total.images += f.images
		for class, g := range f.gram {
			floats.Add(p.total.gram[class], g)
		}
		floats.Add(p.total.b, f.b)
		floats.Add(p.total.y, f.y)
	}
	return p, nil
}

// values is the number of values of all processes.
func (p *statistics) values() int { return p.starts[len(p.starts)-1] }

func (p *statistics) zero() *sums {
	m, voxels := p.values(), len(p.study.Voxels)
	s := &sums{gram: make([][]float64, len(p.classes)), b: make([]float64, voxels*m), y: make([]float64, voxels)}
	for class := range s.gram {
		s.gram[class] = make([]float64, m*m)
	}
	return s
}

// time sorts voxels into timing classes, in the order of their first voxels.
func (p *statistics) time() {
	p.timing = make([]int, len(p.study.Voxels))
	known := make(map[string]int)
	for v := range p.study.Voxels {
		key := ""
		for n := range p.study.Trials {
			if t := &p.study.Trials[n]; t.VoxelOnsets != nil {
				one := Trial{Onsets: t.VoxelOnsets[v]}
				key += one.kind() + "|"
			}
		}
		class, ok := known[key]
		if !ok {
			class = len(p.classes)
			known[key] = class
			p.classes = append(p.classes, nil)
		}
		p.timing[v] = class
		p.classes[class] = append(p.classes[class], v)
	}
}

// sum adds up some trials, run by run, in the order of the study.
func (p *statistics) sum(trials []int) (*sums, error) {
	trials = slices.Sorted(slices.Values(trials))
	s := p.zero()
	s.trials = len(trials)
	m, voxels := p.values(), len(p.study.Voxels)
	across := make([]float64, m*voxels) // b the other way round, so that rows of the data add to rows
	runs := [][]int{trials}
	if p.study.Nuisance.any() {
		runs = p.study.Only(trials).LeaveOneRunOut()
		for _, run := range runs {
			for i, n := range run {
				run[i] = trials[n]
			}
		}
	}
	for _, numbers := range runs {
		run := make([]*Trial, len(numbers))
		images := 0
		for i, n := range numbers {
			run[i] = &p.study.Trials[n]
			images += run[i].Images
		}
		var basis [][]float64
		if p.study.Nuisance.any() {
			if basis = p.study.Nuisance.basis(run); images <= len(basis) {
				return nil, say.Errorf("hpm: %s: its run has %d images and %d independent nuisance terms, which "+
					"leave nothing; take fewer terms", p.study.trialName(numbers[0]), images, len(basis))
			}
		}
		s.images += images - len(basis)
		p.addSignal(s, across, run, basis)
		p.addProcesses(s, run, basis)
	}
	for _, g := range s.gram {
		s.sparse = append(s.sparse, newSparse(g, m))
		s.grouped = append(s.grouped, s.sparse[len(s.sparse)-1].byProcesses(p.owner))
	}
	for j := range m {
		for v, x := range across[j*voxels : (j+1)*voxels] {
			s.b[v*m+j] = x
		}
	}
	return s, nil
}

// active lists, for each image of a run, the values that a voxel of the class then shows.
func (p *statistics) active(run []*Trial, class int) [][]int {
	var list [][]int
	for _, t := range run {
		onsets := t.Onsets
		if t.VoxelOnsets != nil {
			onsets = t.VoxelOnsets[p.classes[class][0]]
		}
		shows := make([][]int, t.Images)
		for _, o := range onsets {
			k := slices.IndexFunc(p.study.Processes, func(q Process) bool { return q.Name == o.Process })
			for lag := range min(p.study.Processes[k].Length, t.Images-o.Image+1) {
				shows[o.Image-1+lag] = append(shows[o.Image-1+lag], p.starts[k]+lag)
			}
		}
		list = append(list, shows...)
	}
	return list
}

// addSignal adds to y and to b, values × voxels, the signal of a run without its part in the basis.
func (p *statistics) addSignal(s *sums, across []float64, run []*Trial, basis [][]float64) {
	voxels := len(p.study.Voxels)
	loads := make([]float64, len(basis)*voxels) // Q'x
	image := 0
	for _, t := range run {
		for i := range t.Images {
			row := t.Data[i*voxels:][:voxels]
			for j, q := range basis {
				floats.AddScaled(loads[j*voxels:][:voxels], q[image], row)
			}
			image++
		}
	}
	shows := make([][][]int, len(p.classes))
	for class := range shows {
		shows[class] = p.active(run, class)
	}
	image = 0
	x := make([]float64, voxels)
	for _, t := range run {
		for i := range t.Images {
			copy(x, t.Data[i*voxels:])
			for j, q := range basis {
				floats.AddScaled(x, -q[image], loads[j*voxels:][:voxels])
			}
			for v, value := range x {
				s.y[v] += value * value
			}
			for class, members := range p.classes {
				for _, j := range shows[class][image] {
					to := across[j*voxels:][:voxels]
					if len(members) == voxels {
						floats.Add(to, x)
						continue
					}
					for _, v := range members {
						to[v] += x[v]
					}
				}
			}
			image++
		}
	}
}

// addProcesses adds G = S'S − (Q'S)'(Q'S) of a run.
func (p *statistics) addProcesses(s *sums, run []*Trial, basis [][]float64) {
	m := p.values()
	for class, g := range s.gram {
		loads := make([]float64, len(basis)*m) // Q'S
		for image, shows := range p.active(run, class) {
			for _, a := range shows {
				for _, b := range shows {
					g[a*m+b]++
				}
				for j, q := range basis {
					loads[j*m+a] += q[image]
				}
			}
		}
		for j := range basis {
			q := loads[j*m:][:m]
			for a, x := range q {
				if x != 0 {
					floats.AddScaled(g[a*m:][:m], -x, q)
				}
			}
		}
	}
}
