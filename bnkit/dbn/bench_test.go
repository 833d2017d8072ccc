package dbn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
)

// machine has hidden binary state variables, each moved by itself and its neighbour, and three
// sensors.
func machine(b testing.TB, hidden int) *dbn.Network {
	b.Helper()
	model := ""
	var vars []bn.Variable
	for i := range hidden {
		model += fmt.Sprintf("[s%d|s%d[t-1]:s%d[t-1]]", i, i, (i+1)%hidden)
		vars = append(vars, bn.Discrete(fmt.Sprintf("s%d", i), "off", "on"))
	}
	for i := range 3 {
		model += fmt.Sprintf("[y%d|s%d:s%d]", i, i%hidden, (i+1)%hidden)
		vars = append(vars, bn.Discrete(fmt.Sprintf("y%d", i), "low", "middle", "high"))
	}
	net := network(b, model, vars...)
	random(net, rand.New(rand.NewPCG(1, 0)))
	return net
}

// sensors are 100 series, of length 50 or of lengths from 26 to 75.
func sensors(b *testing.B, net *dbn.Network, equal bool) *dbn.Series {
	b.Helper()
	lengths := make([]int, 100)
	for i := range lengths {
		if lengths[i] = 50; !equal {
			lengths[i] = 26 + i/2
		}
	}
	return must(must(net.Sample(lengths, rand.NewPCG(2, 0)))(b).Keep("y0", "y1", "y2"))(b)
}

func BenchmarkExpect(b *testing.B) {
	for _, hidden := range []int{2, 3} {
		for _, equal := range []bool{true, false} {
			name := fmt.Sprintf("hidden=%d/lengths=equal", hidden)
			if !equal {
				name = fmt.Sprintf("hidden=%d/lengths=50", hidden)
			}
			net := machine(b, hidden)
			s := sensors(b, net, equal)
			c := must(net.Cases(s, &infer.Options{Workers: 1}))(b)
			theta := parameters(net)
			n := make([]float64, len(theta))
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					clear(n)
					if _, err := c.Expect(n, theta); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("plan/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := net.Cases(s, &infer.Options{Workers: 1}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSampled draws 100 samples of each series.
func BenchmarkSampled(b *testing.B) {
	net := machine(b, 3)
	c := must(net.Sampled(sensors(b, net, true), 100, rand.NewPCG(3, 0)))(b)
	theta := parameters(net)
	n := make([]float64, len(theta))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Expect(n, theta); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPosteriors(b *testing.B) {
	net := machine(b, 3)
	s := sensors(b, net, true)
	b.Run("smooth", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := net.Smooth(s); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("filter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := net.Filter(s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
