package hpm

import "testing"

func BenchmarkFit(b *testing.B) {
	s := calc.study()
	for _, sharing := range []Sharing{Voxelwise, Shared} {
		b.Run(sharing.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := Fit(s, sharing, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Clusters[0].Sweeps), "sweeps")
			}
		})
	}
}

func BenchmarkCrossValidate(b *testing.B) {
	for _, c := range []struct {
		name      string
		amplitude float64
	}{{"strong", 1}, {"weak", 0.2}, {"none", 0}} {
		scene := calc
		scene.amplitude = c.amplitude
		s := scene.study()
		for _, sharing := range []Sharing{Voxelwise, Shared, Hierarchical} {
			b.Run(c.name+"/"+sharing.String(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					v, err := CrossValidate(s, sharing, nil)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(v.Regions[0].Clusters), "clusters")
					b.ReportMetric(-v.Score, "-score")
				}
			})
		}
	}
}

// BenchmarkBlocks has nuisance terms, which make G dense.
func BenchmarkBlocks(b *testing.B) {
	s := blocks(23, 12)
	for _, sharing := range []Sharing{Voxelwise, Shared, Hierarchical} {
		b.Run(sharing.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v, err := CrossValidate(s, sharing, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(v.Regions[0].Clusters), "clusters")
				b.ReportMetric(-v.Score, "-score")
			}
		})
	}
}
