package hpm

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/hpm"
)

// Standin says how the study is made that stands in for the voxels of StarPlus: its design (N06 §5.2.1),
// regions of known clusters with smooth processes, amplitudes that are smooth in space, and
// heavy-tailed noise. The numbers were fixed before any model was fitted to it.
type Standin struct {
	Trials int // half of them with the sentence first
	// VoxelsPerCluster is how many voxels a true cluster has on average.
	VoxelsPerCluster int
	// Peak is the median height of a process, Spread the standard deviation of its
	// logarithm over clusters, and Smooth that of the logarithm of a voxel's amplitude within its cluster.
	Peak, Spread, Smooth float64
	// Variance of the noise, which has a t distribution of Degrees degrees of freedom. 6.2
	// is what N06's scores of StHPM tell (see saturated).
	Variance, Degrees float64
}

func defaultStandin() Standin {
	return Standin{Trials: 40, VoxelsPerCluster: 80, Peak: 1.5, Spread: 0.4, Smooth: 0.3, Variance: 6.2, Degrees: 5}
}

// The design of StarPlus: an image each half second, trials of 32 images, the second
// stimulus at image 17.
const (
	images       = 32
	secondOnset  = 17
	imageSeconds = 0.5
)

// sentence and picture are the two processes, which last as long as the trial.
const (
	sentence = "Sentence"
	picture  = "Picture"
)

func twoProcesses() []hpm.Process {
	return []hpm.Process{{Name: sentence, Length: images}, {Name: picture, Length: images}}
}

// trial is one without data.
func trial(sentenceFirst bool) hpm.Trial {
	first, second := sentence, picture
	if !sentenceFirst {
		first, second = picture, sentence
	}
	return hpm.Trial{Images: images, Onsets: []hpm.Onset{{Process: first, Image: 1},
		{Process: second, Image: secondOnset}}}
}

// A truth is what a simulated study was made from: the cluster of each voxel, and its responses,
// by voxel, process and lag.
type truth struct {
	cluster  []int
	response [][2][]float64
}

// make returns a study of voxels, region by region from a stream of random numbers each, so that a
// region that is left out changes no other.
func (s Standin) make(voxels []hpm.Voxel, stream func(region int) rand.Source) (*hpm.Study, truth) {
	study := &hpm.Study{Processes: twoProcesses(), Voxels: voxels, ImageSeconds: imageSeconds}
	for n := range s.Trials {
		t := trial(n%2 == 0)
		t.Data = make([]float64, images*len(voxels))
		study.Trials = append(study.Trials, t)
	}
	all := truth{cluster: make([]int, len(voxels)), response: make([][2][]float64, len(voxels))}
	clusters := 0
	for r, region := range regionsOf(voxels) {
		src := stream(r)
		clusters += s.signal(voxels, region, clusters, rand.New(src), &all)
		s.measure(study, region, all.response, src)
	}
	return study, all
}

// regionsOf lists the voxels of each region, in the order in which the voxels name them.
func regionsOf(voxels []hpm.Voxel) [][]int {
	var all [][]int
	at := make(map[string]int)
	for v, voxel := range voxels {
		r, ok := at[voxel.Region]
		if !ok {
			r, at[voxel.Region] = len(all), len(all)
			all = append(all, nil)
		}
		all[r] = append(all[r], v)
	}
	return all
}

// signal draws clusters and responses of a region and returns how many clusters there are. A voxel
// belongs to the nearest, in its plane, of as many of the region's voxels drawn at random.
func (s Standin) signal(voxels []hpm.Voxel, region []int, first int, rng *rand.Rand, all *truth) int {
	n := (len(region) + s.VoxelsPerCluster - 1) / s.VoxelsPerCluster
	centres := rng.Perm(len(region))[:n]
	base := make([][2][]float64, n)
	for c := range base {
		for k := range 2 {
			base[c][k] = s.process(rng)
		}
	}
	var waves [2][]wave
	for k := range waves {
		waves[k] = newWaves(rng)
	}
	for _, v := range region {
		nearest, least := 0, math.Inf(1)
		for c, i := range centres {
			if d := inPlane(voxels[v], voxels[region[i]]); d < least {
				nearest, least = c, d
			}
		}
		all.cluster[v] = first + nearest
		for k := range 2 {
			all.response[v][k] = scaled(math.Exp(s.Smooth*field(waves[k], voxels[v])), base[nearest][k])
		}
	}
	return n
}

// scaled is a process with an amplitude.
func scaled(amplitude float64, process []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(process)), amplitude, process)
}

func inPlane(a, b hpm.Voxel) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) }

// process draws a response to a stimulus: a rise to a peak after four to eight seconds and an
// undershoot six seconds later,
//
//	h(t; p) − 0.3 h(t; p + 6),   h(t; p) = (t/p)^a exp(a (1 − t/p)).
func (s Standin) process(rng *rand.Rand) []float64 {
	height := s.Peak * math.Exp(s.Spread*rng.NormFloat64())
	peak, a := 4+4*rng.Float64(), 4+4*rng.Float64()
	h := func(t, p float64) float64 { return math.Exp(a * (math.Log(t/p) + 1 - t/p)) }
	out := make([]float64, images)
	for i := 1; i < images; i++ {
		t := float64(i) * imageSeconds
		out[i] = height * (h(t, peak) - 0.3*h(t, peak+6))
	}
	return out
}

// A wave is a part of a smooth function of place.
type wave struct{ x, y, z, phase float64 }

const wavesPerField = 6

// newWaves draws waves that are 8 to 16 voxels long.
func newWaves(rng *rand.Rand) []wave {
	out := make([]wave, wavesPerField)
	for i := range out {
		length := 8 + 8*rng.Float64()
		x, y, z := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		norm := 2 * math.Pi / length / math.Sqrt(x*x+y*y+z*z)
		out[i] = wave{x * norm, y * norm, z * norm, 2 * math.Pi * rng.Float64()}
	}
	return out
}

// field is the sum of the waves, scaled to the variance 1 over phases.
func field(waves []wave, v hpm.Voxel) float64 {
	sum := 0.0
	for _, w := range waves {
		sum += math.Cos(w.x*float64(v.X) + w.y*float64(v.Y) + w.z*float64(v.Z) + w.phase)
	}
	return sum * math.Sqrt(2.0/wavesPerField)
}

// measure fills the signals of a region: the responses from their onsets on, and noise.
func (s Standin) measure(study *hpm.Study, region []int, response [][2][]float64, src rand.Source) {
	scale := math.Sqrt(s.Variance * (s.Degrees - 2) / s.Degrees)
	noise := distuv.StudentsT{Sigma: scale, Nu: s.Degrees, Src: src}
	for _, t := range study.Trials {
		for image := range t.Images {
			at := t.Data[image*len(study.Voxels):]
			for _, v := range region {
				at[v] = mean(study.Processes, t.Onsets, image, response[v]) + noise.Rand()
			}
		}
	}
}

// mean is what the processes of a voxel add up to at an image, counted from 0.
func mean(processes []hpm.Process, onsets []hpm.Onset, image int, response [2][]float64) float64 {
	sum := 0.0
	for _, o := range onsets {
		k := 0
		if processes[1].Name == o.Process {
			k = 1
		}
		if lag := image - (o.Image - 1); lag >= 0 && lag < len(response[k]) {
			sum += response[k][lag]
		}
	}
	return sum
}
