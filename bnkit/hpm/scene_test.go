package hpm

import (
	"fmt"
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
	varied      bool // shapes differ between patches of 2 × 2 in plane
	regions     int  // so many of these, one above the other; 0 is 1
}

// calc has the size of the visual cortex in N06 §5.2, 320 voxels instead of 318.
var calc = scene{side: 8, depth: 5, trials: 40, images: 32, noise: math.Sqrt(6.2), amplitude: 1, seed: 1}

// study draws two smooth processes with random amplitudes, that start at images 1 and half-way.
func (c scene) study() *Study {
	rng := rand.New(rand.NewPCG(c.seed, 0))
	s := &Study{Processes: []Process{{"Sentence", c.images}, {"Picture", c.images}}, ImageSeconds: 0.5}
	for region := range max(c.regions, 1) {
		name := "CALC"
		if region > 0 {
			name = fmt.Sprintf("ROI%d", region)
		}
		for z := range c.depth {
			for x := range c.side {
				for y := range c.side {
					s.Voxels = append(s.Voxels, Voxel{x, y, region*c.depth + z, name})
				}
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
						u, waves := float64(lag)/float64(c.images), float64(k+1)
						if c.varied {
							waves += 0.3*float64(s.Voxels[v].X/2) + 0.2*float64(s.Voxels[v].Y/2)
						}
						x += amplitudes[v][k] * 3 * math.Sin(math.Pi*u*waves) * math.Exp(-2*u)
					}
				}
				t.Data = append(t.Data, x)
			}
		}
		s.Trials = append(s.Trials, t)
	}
	return s
}

// blocks is a study of the size of a slice in Haxby et al. (2001): runs of 121 images with eight kinds of
// stimulus in changing order, 530 voxels, and a baseline and drift in each.
func blocks(side, runs int) *Study {
	rng := rand.New(rand.NewPCG(2, 0))
	s := &Study{ImageSeconds: 2.5, Nuisance: Nuisance{Drift: 1}}
	for _, name := range []string{"face", "house", "cat", "bottle", "scissors", "shoe", "chair", "scrambled"} {
		s.Processes = append(s.Processes, Process{name, 15})
	}
	for v := range side * side {
		s.Voxels = append(s.Voxels, Voxel{v % side, v / side, 0, ""})
	}
	gain := make([][8]float64, len(s.Voxels))
	for v := range gain {
		for k := range gain[v] {
			gain[v][k] = 5 + 5*rng.NormFloat64()
		}
	}
	for r := range runs {
		t := Trial{Run: string(rune('A' + r)), Images: 121, Data: make([]float64, 121*len(s.Voxels))}
		for place, k := range rng.Perm(8) {
			t.Onsets = append(t.Onsets, Onset{s.Processes[k].Name, 6 + (place*144)/10})
		}
		for image := range t.Images {
			for v := range s.Voxels {
				x := 1000 + 0.3*float64(image*(v%5)) + 20*rng.NormFloat64()
				for _, o := range t.Onsets {
					if lag := image + 1 - o.Image; lag >= 0 && lag < 15 {
						k := 0
						for s.Processes[k].Name != o.Process {
							k++
						}
						x += gain[v][k] * math.Sin(math.Pi*float64(lag)/15)
					}
				}
				t.Data[image*len(s.Voxels)+v] = x
			}
		}
		s.Trials = append(s.Trials, t)
	}
	return s
}
