package hpm_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/hpm"
)

// Two voxels answer a tone and a flash that begin one image apart, in either order; the second
// voxel answers twice as strongly. Shared processes say by how much voxels differ.
func ExampleFit() {
	study := &hpm.Study{
		Processes:    []hpm.Process{{Name: "Tone", Length: 2}, {Name: "Flash", Length: 2}},
		Voxels:       []hpm.Voxel{{X: 0, Region: "A"}, {X: 1, Region: "A"}},
		ImageSeconds: 1,
		Trials: []hpm.Trial{ // Data: image by image, voxel by voxel
			{Images: 3, Onsets: []hpm.Onset{{Process: "Tone", Image: 1}, {Process: "Flash", Image: 2}},
				Data: []float64{3.1, 5.9, 2.0, 4.1, 1.9, 4.0}},
			{Images: 3, Onsets: []hpm.Onset{{Process: "Flash", Image: 1}, {Process: "Tone", Image: 2}},
				Data: []float64{0.9, 2.0, 5.1, 10.0, 1.1, 2.0}},
		},
	}
	model, err := hpm.Fit(context.Background(), study, hpm.Shared, nil)
	if err != nil {
		log.Fatal(err)
	}
	for v := range study.Voxels {
		fmt.Printf("voxel %d: tone %.3f, flash %.3f\n", v, model.Response(v)[0], model.Response(v)[1])
	}
	fmt.Printf("log-likelihood %.3f\n", model.LogLikelihood)
	// Output:
	// voxel 0: tone [3.143 1.082], flash [0.949 1.908]
	// voxel 1: tone [5.929 2.041], flash [2.011 4.045]
	// log-likelihood 22.854
}
