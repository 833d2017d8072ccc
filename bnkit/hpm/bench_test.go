package hpm

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// BenchmarkSweep is one sweep of Algorithm 2 on data of CALC's size: on B, on B'B, and as N06 writes it, with
// the NTV × KT matrix A of step 1. Its step 2 takes the same matrix B of NTV × KV apart by voxel, which is
// kinder than the paper.
func BenchmarkSweep(b *testing.B) {
	s := calc.study()
	for _, c := range []struct {
		name   string
		passes int
	}{{"sums", -1 << 30}, {"crossProducts", 1 << 30}} {
		b.Run(c.name, func(b *testing.B) {
			f := ready(b, s, false)
			f.start()
			f.passes = c.passes
			f.amplitudes()
			b.ReportAllocs()
			for b.Loop() {
				f.improve()
				f.amplitudes()
			}
		})
	}
	b.Run("explicit", func(b *testing.B) {
		f := ready(b, s, false)
		f.start()
		f.amplitudes()
		e := newExplicit(s, f)
		b.ReportAllocs()
		for b.Loop() {
			e.sweep()
		}
	})
}

// explicit is Algorithm 2 with its matrices built out.
type explicit struct {
	terms  [][]term // of each datum
	voxel  []int
	x      []float64
	p, c   []float64
	values int
}

func newExplicit(s *Study, f *fitter) *explicit {
	e := &explicit{p: slices.Clone(f.p), c: slices.Clone(f.c), values: f.sample.values()}
	data(s, func(x float64, v int, terms []term) {
		e.x, e.voxel, e.terms = append(e.x, x), append(e.voxel, v), append(e.terms, terms)
	})
	return e
}

func (e *explicit) sweep() {
	a := mat.NewDense(len(e.x), e.values, nil)
	for i, terms := range e.terms {
		for _, at := range terms {
			a.Set(i, at.value, e.c[2*e.voxel[i]+at.process])
		}
	}
	var p mat.VecDense
	var square mat.SymDense
	square.SymOuterK(1, a.T())
	var right mat.VecDense
	right.MulVec(a.T(), mat.NewVecDense(len(e.x), e.x))
	var cholesky mat.Cholesky
	cholesky.Factorize(&square)
	if err := cholesky.SolveVecTo(&p, &right); err != nil {
		panic(err)
	}
	copy(e.p, p.RawVector().Data)
	h := make([][3]float64, len(e.c)/2)
	r := make([][2]float64, len(e.c)/2)
	for i, terms := range e.terms {
		var z [2]float64
		for _, at := range terms {
			z[at.process] += e.p[at.value]
		}
		v := e.voxel[i]
		h[v][0] += z[0] * z[0]
		h[v][1] += z[0] * z[1]
		h[v][2] += z[1] * z[1]
		r[v][0] += z[0] * e.x[i]
		r[v][1] += z[1] * e.x[i]
	}
	for v := range h {
		det := h[v][0]*h[v][2] - h[v][1]*h[v][1]
		e.c[2*v] = (h[v][2]*r[v][0] - h[v][1]*r[v][1]) / det
		e.c[2*v+1] = (h[v][0]*r[v][1] - h[v][1]*r[v][0]) / det
	}
}

// studies are of the size of CALC in N06 §5.2, with signals that are easy and hard to share.
func studies() map[string]*Study {
	all := make(map[string]*Study)
	for name, change := range map[string]func(*scene){
		"oneCluster": func(c *scene) {},
		"clusters":   func(c *scene) { c.varied = true },
		"noise":      func(c *scene) { c.amplitude = 0 },
	} {
		c := calc
		change(&c)
		all[name] = c.study()
	}
	return all
}

func BenchmarkCrossValidate(b *testing.B) {
	all := studies()
	for _, name := range []string{"oneCluster", "clusters", "noise"} {
		for _, sharing := range every {
			b.Run(name+"/"+sharing.String(), func(b *testing.B) { validate(b, all[name], sharing) })
		}
	}
}

func validate(b *testing.B, s *Study, sharing Sharing) {
	b.ReportAllocs()
	for b.Loop() {
		v, err := s.CrossValidate(b.Context(), sharing, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(v.Model.Clusters)), "clusters")
		b.ReportMetric(-v.Score, "-score")
	}
}

// BenchmarkTable2 is all of N06 Table 2: sizes 6 to 40 and three models.
func BenchmarkTable2(b *testing.B) {
	all := studies()
	for _, name := range []string{"oneCluster", "clusters", "noise"} {
		s := all[name]
		pairs := s.LeaveOneOfEachOut()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for size := 6; size <= 40; size += 2 {
					for _, sharing := range every {
						if _, err := s.Only(slices.Concat(pairs[:size/2]...)).CrossValidate(b.Context(), sharing,
							nil); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}

// BenchmarkBrain has 4,800 voxels in 24 regions, as N06 Table 3 has 4,698.
func BenchmarkBrain(b *testing.B) {
	c := calc
	c.side, c.depth, c.regions, c.varied = 10, 2, 24, true
	s := c.study()
	for _, sharing := range every {
		b.Run(sharing.String(), func(b *testing.B) { validate(b, s, sharing) })
	}
}

// BenchmarkIntercept has an intercept for each trial, which no trial can tell from a constant in its processes.
func BenchmarkIntercept(b *testing.B) {
	s := calc.study()
	s.Nuisance.Intercept = true
	for _, sharing := range every {
		b.Run(sharing.String(), func(b *testing.B) { validate(b, s, sharing) })
	}
}

// BenchmarkBlocks has nuisance terms, which make G dense.
func BenchmarkBlocks(b *testing.B) {
	s := blocks(23, 12)
	for _, sharing := range every {
		b.Run(sharing.String(), func(b *testing.B) { validate(b, s, sharing) })
	}
}
