package hpm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bnlab/internal/numtest"
)

// odd is a small study with all that the block form allows: processes and trials of different
// lengths, a process that begins twice, and one that goes on after the end.
func odd(seed uint64) *Study {
	rng := rand.New(rand.NewPCG(seed, 0))
	s := &Study{Processes: []Process{{"a", 5}, {"b", 4}, {"c", 3}}}
	for v := range 6 {
		s.Voxels = append(s.Voxels, Voxel{v % 3, v / 3, 0, "R"})
	}
	for n := range 9 {
		t := Trial{Images: 9 + n%3, Onsets: []Onset{{"a", 1 + n%3}, {"b", 3}, {"c", 2 + n%4}}}
		if n%2 == 1 {
			t.Onsets = append([]Onset{{"b", 7}}, t.Onsets...)
		}
		for range t.Images * len(s.Voxels) {
			t.Data = append(t.Data, 1+rng.NormFloat64())
		}
		s.Trials = append(s.Trials, t)
	}
	return s
}

// shifted gives the voxels with odd numbers onsets of their own.
func shifted(s *Study) *Study {
	for n := range s.Trials {
		t := &s.Trials[n]
		for v := range s.Voxels {
			onsets := slices.Clone(t.Onsets)
			if v%2 == 1 {
				for i := range onsets {
					onsets[i].Image++
				}
			}
			t.VoxelOnsets = append(t.VoxelOnsets, onsets)
		}
		t.Onsets = nil
	}
	return s
}

// A term is a value of a process in one datum x_nt^v.
type term struct{ process, value int }

// data lists all data of a study with their voxel and their terms, straight from the definition.
func data(s *Study, each func(x float64, v int, terms []term)) {
	for _, t := range s.Trials {
		for image := 1; image <= t.Images; image++ {
			for v := range s.Voxels {
				onsets := t.Onsets
				if t.VoxelOnsets != nil {
					onsets = t.VoxelOnsets[v]
				}
				var terms []term
				start := 0
				for k, p := range s.Processes {
					for _, o := range onsets {
						if lag := image - o.Image; o.Process == p.Name && lag >= 0 && lag < p.Length {
							terms = append(terms, term{k, start + lag})
						}
					}
					start += p.Length
				}
				each(t.Data[(image-1)*len(s.Voxels)+v], v, terms)
			}
		}
	}
}

// leastSquares solves the system that N06 writes out, with a row for each datum.
func leastSquares(rows [][]float64, x []float64) []float64 {
	a := mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
	var solution mat.VecDense
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		panic("no singular values")
	}
	svd.SolveVecTo(&solution, mat.NewVecDense(len(x), x), svd.Rank(1e-10))
	return solution.RawVector().Data
}

// ready returns a fitter with all voxels of a study.
func ready(t testing.TB, s *Study, voxelNoise bool) *fitter {
	t.Helper()
	a, err := analyse(s, Shared, &Settings{VoxelNoise: voxelNoise}, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := &fitter{set: a.set}
	voxels := make([]int, len(s.Voxels))
	for v := range voxels {
		voxels[v] = v
	}
	f.load(a.sample(), voxels)
	return f
}

// TestStepsAreLeastSquares compares each step of Algorithm 2 with the NTV × KT and NTV × KV systems
// of N06 §4.2, built out and solved by singular values.
func TestStepsAreLeastSquares(t *testing.T) {
	for name, s := range map[string]*Study{"one timing": odd(1), "timing by voxel": shifted(odd(2))} {
		t.Run(name, func(t *testing.T) {
			f := ready(t, s, false)
			rng := rand.New(rand.NewPCG(3, 0))
			k, m := len(s.Processes), f.sample.values()
			p, c := make([]float64, m), make([]float64, len(s.Voxels)*k)
			for i := range p {
				p[i] = rng.NormFloat64()
			}
			copy(f.p, p)
			value := f.amplitudes()
			var rows [][]float64
			var xs []float64
			data(s, func(x float64, v int, terms []term) {
				row := make([]float64, len(s.Voxels)*k)
				for _, at := range terms {
					row[v*k+at.process] += p[at.value]
				}
				rows, xs = append(rows, row), append(xs, x)
			})
			copy(c, leastSquares(rows, xs))
			for i, v := range f.voxels {
				for j := range k {
					numtest.Close(t, f.c[i*k+j], c[v*k+j], 1e-10, 1e-10)
				}
			}
			numtest.Close(t, math.Exp(value), sumOfSquares(rows, c, xs), 1e-10, 1e-10)

			f.improve()
			rows = nil
			data(s, func(_ float64, v int, terms []term) {
				row := make([]float64, m)
				for _, at := range terms {
					row[at.value] += c[v*k+at.process]
				}
				rows = append(rows, row)
			})
			for i, want := range leastSquares(rows, xs) {
				numtest.Close(t, f.p[i], want, 1e-10, 1e-10)
			}
			if f.rank != m {
				t.Errorf("rank %d, want %d", f.rank, m)
			}
		})
	}
}

func sumOfSquares(rows [][]float64, w, xs []float64) float64 {
	sum := 0.0
	for i, row := range rows {
		e := xs[i] - floats.Dot(row, w)
		sum += e * e
	}
	return sum
}

// TestVoxelwiseIsLeastSquares compares with a regression of each voxel by itself.
func TestVoxelwiseIsLeastSquares(t *testing.T) {
	for name, s := range map[string]*Study{"one timing": odd(1), "timing by voxel": shifted(odd(2))} {
		t.Run(name, func(t *testing.T) {
			m, err := Fit(t.Context(), s, Voxelwise, &Settings{VoxelNoise: true})
			if err != nil {
				t.Fatal(err)
			}
			for v := range s.Voxels {
				var rows [][]float64
				var xs []float64
				data(s, func(x float64, at int, terms []term) {
					if at != v {
						return
					}
					row := make([]float64, 12)
					for _, at := range terms {
						row[at.value]++
					}
					rows, xs = append(rows, row), append(xs, x)
				})
				w := leastSquares(rows, xs)
				for i, x := range slices.Concat(m.Response(v)...) {
					numtest.Close(t, x, w[i], 1e-10, 1e-10)
				}
				numtest.Close(t, m.Variance[v], sumOfSquares(rows, w, xs)/float64(len(xs)), 1e-10, 1e-10)
			}
		})
	}
}

// TestWeightedStep compares the step for processes, under noise by voxel, with weighted least squares.
func TestWeightedStep(t *testing.T) {
	s := shifted(odd(4))
	f := ready(t, s, true)
	f.start()
	f.amplitudes()
	k, m := len(s.Processes), f.sample.values()
	c, weight := make([]float64, len(s.Voxels)*k), make([]float64, len(s.Voxels))
	for i, v := range f.voxels {
		copy(c[v*k:], f.c[i*k:][:k])
		weight[v] = 1 / math.Sqrt(f.errors[i])
	}
	f.improve()
	var rows [][]float64
	var xs []float64
	data(s, func(x float64, v int, terms []term) {
		row := make([]float64, m)
		for _, at := range terms {
			row[at.value] += weight[v] * c[v*k+at.process]
		}
		rows, xs = append(rows, row), append(xs, weight[v]*x)
	})
	for i, want := range leastSquares(rows, xs) {
		numtest.Close(t, f.p[i], want, 1e-10, 1e-10)
	}
}

// TestOneProcess compares the fit with the optimum for one process: by U = B G^(−1/2) the error is Σy less the
// square of the greatest singular value of U.
func TestOneProcess(t *testing.T) {
	s := odd(5)
	s.Processes = s.Processes[:1]
	for n := range s.Trials {
		s.Trials[n].Onsets = []Onset{{"a", 1 + n%3}}
	}
	f := ready(t, s, false)
	f.fit()
	m := f.sample.values()
	u := mat.NewDense(len(s.Voxels), m, slices.Clone(f.b))
	for j := range m { // G is diagonal
		scale := 1 / math.Sqrt(f.sample.designs[0].gram[j*m+j])
		for v := range s.Voxels {
			u.Set(v, j, u.At(v, j)*scale)
		}
	}
	var svd mat.SVD
	svd.Factorize(u, mat.SVDNone)
	top := svd.Values(nil)[0]
	numtest.Close(t, floats.Sum(f.errors), floats.Sum(f.y)-top*top, 0, 1e-9)
}

// TestNeverRises stops Algorithm 2 after each sweep, leaps included.
func TestNeverRises(t *testing.T) {
	for _, noise := range []bool{false, true} {
		for seed := range uint64(5) {
			scene := scene{side: 3, depth: 1, trials: 6, images: 8, noise: 1, amplitude: 0.1, seed: seed}
			f := ready(t, scene.study(), noise)
			f.start()
			last := f.amplitudes()
			for f.set.MaxSweeps = 1; !f.converged || f.set.MaxSweeps == 1; f.set.MaxSweeps++ {
				f.sweeps = 0
				f.start()
				f.climb()
				next := f.amplitudes()
				if next > last+1e-12 {
					t.Fatalf("noise %v, seed %d: sweep %d raises %v to %v", noise, seed, f.sweeps, last, next)
				}
				last = next
			}
			if f.sweeps < 4 {
				t.Errorf("noise %v, seed %d: no leaps in %d sweeps", noise, seed, f.sweeps)
			}
		}
	}
}

// TestCrossProducts compares sweeps on B'B with sweeps on B.
func TestCrossProducts(t *testing.T) {
	scene := scene{side: 5, depth: 2, trials: 8, images: 8, noise: 1, amplitude: 0.3, seed: 1}
	s := scene.study()
	plain, crossed := ready(t, s, false), ready(t, s, false)
	plain.start()
	crossed.start()
	plain.passes, crossed.passes = -1<<20, 1<<20
	for range 4 {
		numtest.Close(t, crossed.amplitudes(), plain.amplitudes(), 1e-12, 1e-12)
		if !crossed.crossed || plain.crossed {
			t.Fatal("the fits do not work on different things")
		}
		plain.improve()
		crossed.improve()
		for i := range plain.p {
			numtest.Close(t, crossed.p[i], plain.p[i], 1e-10, 1e-10)
		}
	}
	// One B'B does not serve voxels of two timings, nor voxels of different weight.
	for name, f := range map[string]*fitter{"timing": ready(t, shifted(scene.study()), false),
		"noise": ready(t, s, true)} {
		f.start()
		f.passes = 1 << 20
		if f.amplitudes(); f.crossed {
			t.Errorf("by voxel, %s: the fit works on B'B", name)
		}
	}
}

// TestInTurn compares fits that take processes in turn with fits that take them at once.
func TestInTurn(t *testing.T) {
	s := blocks(3, 4)
	for _, noise := range []bool{false, true} {
		turn, once := ready(t, s, noise), ready(t, s, noise)
		if turn.sample.own == nil {
			t.Fatal("the values are not entangled")
		}
		turn.set.Tolerance, once.set.Tolerance = 1e-13, 1e-13
		once.sample.own = nil
		turn.fit()
		once.fit()
		if turn.rank != once.rank {
			t.Errorf("rank %d in turn, %d at once", turn.rank, once.rank)
		}
		for v := range s.Voxels {
			numtest.Close(t, turn.errors[v], once.errors[v], 0, 1e-6)
		}
		numtest.Close(t, turn.negative(), once.negative(), 1e-10, 0)
		turn.start()
		last := turn.amplitudes()
		for range 20 {
			turn.inTurn()
			next := turn.amplitudes()
			if next > last+1e-12 {
				t.Fatalf("a step in turn raises %v to %v", last, next)
			}
			last = next
		}
	}
}

// TestStarts compares the start by singular vectors with random starts: none ends lower.
func TestStarts(t *testing.T) {
	f := ready(t, patch.study(), false)
	f.fit()
	best := f.negative()
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20 {
		f.sweeps = 0
		for i := range f.p {
			f.p[i] = rng.NormFloat64()
		}
		f.climb()
		if end := f.negative(); end < best-1e-8 {
			t.Errorf("a random start ends at %v, below %v", end, best)
		}
	}
}
