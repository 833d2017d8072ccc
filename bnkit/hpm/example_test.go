package hpm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bnlab/bnkit/hpm"
)

// A sentence is read and a picture is seen, in either order. Voxels on one side answer in the
// same way, those with greater y more strongly.
func Example() {
	rng := rand.New(rand.NewPCG(1, 0))
	study := &hpm.Study{
		Processes:    []hpm.Process{{Name: "Sentence", Length: 8}, {Name: "Picture", Length: 8}},
		ImageSeconds: 0.5,
	}
	for y := range 4 {
		study.Voxels = append(study.Voxels, hpm.Voxel{X: 0, Y: y, Region: "CALC"},
			hpm.Voxel{X: 1, Y: y, Region: "CALC"})
	}
	for n := range 12 {
		start := []int{1, 5}
		if n%2 == 1 {
			start = []int{5, 1}
		}
		trial := hpm.Trial{Images: 8, Onsets: []hpm.Onset{{Process: "Sentence", Image: start[0]},
			{Process: "Picture", Image: start[1]}}}
		for image := 1; image <= 8; image++ {
			for _, voxel := range study.Voxels {
				signal := 0.3 * rng.NormFloat64()
				for k, first := range start {
					if lag := image - first; lag >= 0 {
						signal += float64(1+voxel.Y) * math.Sin(float64(lag*(1+(k+voxel.X)%2))/2)
					}
				}
				trial.Data = append(trial.Data, signal)
			}
		}
		study.Trials = append(study.Trials, trial)
	}

	for _, sharing := range []hpm.Sharing{hpm.Voxelwise, hpm.Shared, hpm.Hierarchical} {
		check, err := study.CrossValidate(context.Background(), sharing, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-12s  %7.1f nats per trial, %d clusters\n", sharing, check.Score, len(check.Model.Clusters))
	}
	model, err := hpm.Fit(context.Background(), study, hpm.Hierarchical, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range model.Clusters {
		fmt.Printf("%d voxels at x = %d, noise %.2f, Sentence after two images %.1f\n", len(c.Voxels),
			study.Voxels[c.Voxels[0]].X, math.Sqrt(model.Variance[c.Voxels[0]]), c.Base[0][2])
	}
	first := model.Clusters[0]
	fmt.Printf("amplitudes of Sentence at y = %d and %d: %.2f and %.2f\n", study.Voxels[first.Voxels[0]].Y,
		study.Voxels[first.Voxels[1]].Y, first.Amplitude[0][0], first.Amplitude[1][0])
	// Output:
	// voxelwise       -24.9 nats per trial, 8 clusters
	// shared          -98.3 nats per trial, 1 clusters
	// hierarchical    -19.9 nats per trial, 4 clusters
	// 2 voxels at x = 0, noise 0.30, Sentence after two images 1.4
	// 2 voxels at x = 1, noise 0.28, Sentence after two images 1.6
	// 2 voxels at x = 0, noise 0.30, Sentence after two images 3.0
	// 2 voxels at x = 1, noise 0.29, Sentence after two images 3.2
	// amplitudes of Sentence at y = 0 and 1: 0.64 and 1.26
}

// A model in a file, for another program.
func ExampleLoad() {
	study := &hpm.Study{
		Processes: []hpm.Process{{Name: "See", Length: 2}},
		Voxels:    []hpm.Voxel{{X: 0}, {X: 1}},
		Trials: []hpm.Trial{
			{Images: 2, Onsets: []hpm.Onset{{Process: "See", Image: 1}}, Data: []float64{3, 6.2, 2, 4}},
			{Images: 2, Onsets: []hpm.Onset{{Process: "See", Image: 1}}, Data: []float64{3.2, 6, 2, 3.8}},
		},
	}
	fitted, err := hpm.Fit(context.Background(), study, hpm.Voxelwise, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "hpm")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "see.json")
	if err := fitted.Save(path); err != nil {
		fmt.Println(err)
		return
	}
	model, err := hpm.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range model.Clusters {
		fmt.Printf("voxels %v: %.1f\n", c.Voxels, c.Base[0])
	}
	// Output:
	// voxels [0]: [3.1 2.0]
	// voxels [1]: [6.1 3.9]
}
