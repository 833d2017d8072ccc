package hpm

import (
	"math"
	"math/rand/v2"
)

// scene is how a study is drawn for a test.
type scene struct {
	side, depth int // a region of side × side × depth voxels
	trials      int // half begin with the sentence
	images      int
	noise       float64 // standard deviation
	amplitude   float64
	seed        uint64
}

// calc has the size of the visual cortex in N06 §5.2, 320 voxels instead of 318.
var calc = scene{side: 8, depth: 5, trials: 40, images: 32, noise: math.Sqrt(6.2), amplitude: 1, seed: 1}

// study draws two smooth processes with random amplitudes, that start at images 1 and half-way.
func (c scene) study() *Study {
	rng := rand.New(rand.NewPCG(c.seed, 0))
	s := &Study{Processes: []Process{{"Sentence", c.images}, {"Picture", c.images}}, ImageSeconds: 0.5}
	for z := range c.depth {
		for x := range c.side {
			for y := range c.side {
				s.Voxels = append(s.Voxels, Voxel{x, y, z, "CALC"})
			}
		}
	}
	amplitudes := make([][2]float64, len(s.Voxels))
	for v := range amplitudes {
		amplitudes[v] = [2]float64{c.amplitude * (1 + rng.NormFloat64()), c.amplitude * (1 + rng.NormFloat64())}
	}
	second := c.images/2 + 1
	for n := range c.trials {
		t := Trial{Images: c.images, Onsets: []Onset{{"Sentence", 1}, {"Picture", second}}}
		if n%2 == 1 {
			t.Onsets = []Onset{{"Picture", 1}, {"Sentence", second}}
		}
		start := [2]int{1, second}
		if n%2 == 1 {
			start = [2]int{second, 1}
		}
		for image := 1; image <= c.images; image++ {
			for v := range s.Voxels {
				x := c.noise * rng.NormFloat64()
				for k := range 2 {
					if lag := image - start[k]; lag >= 0 {
						u := float64(lag) / float64(c.images)
						x += amplitudes[v][k] * 3 * math.Sin(math.Pi*u*float64(k+1)) * math.Exp(-2*u)
					}
				}
				t.Data = append(t.Data, x)
			}
		}
		s.Trials = append(s.Trials, t)
	}
	return s
}
