package hpm_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bnlab/bnkit/hpm"
	"bnlab/internal/nifti/niftitest"
)

// A file of images and the table of events beside it become a fitted model.
func ExampleNIfTI_Read() {
	bold, events, err := scan()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(filepath.Dir(bold))

	study, err := hpm.NIfTI{Seconds: 10}.Read(hpm.ScannerRun{Bold: bold, Events: events})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := hpm.Fit(context.Background(), study.Study, hpm.Shared, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(study.Warnings)
	for k, process := range model.Processes {
		fmt.Printf("%s %.0f\n", process.Name, model.Clusters[0].Base[k])
	}
	// Output:
	// [there is no mask: all 4 voxels are taken, those outside the brain too]
	// face [1 3 6 3]
	// house [6 4 2 1]
}

// scan writes a run of 60 images of four voxels, every 2.5 s, that hold a drift, two
// processes and a little noise.
func scan() (bold, events string, err error) {
	dir, err := os.MkdirTemp("", "hpm")
	if err != nil {
		return "", "", err
	}
	rng := rand.New(rand.NewPCG(1, 0))
	x := make([]float32, 4*60)
	for i := range x {
		x[i] = float32(500+100*(i%4)) + 0.1*float32(i/4) + 0.1*float32(rng.NormFloat64())
	}
	table := "onset\tduration\ttrial_type\n"
	for n, image := range []int{3, 9, 17, 22, 33, 37, 44, 50} {
		kind, process := "face", []float32{1, 3, 6, 3}
		if n%3 == 1 {
			kind, process = "house", []float32{6, 4, 2, 1}
		}
		table += fmt.Sprintf("%v\t1\t%s\n", 2.5*float64(image), kind)
		for lag, p := range process {
			for v := range 4 {
				x[4*(image+lag)+v] += p
			}
		}
	}
	bold, events = filepath.Join(dir, "bold.nii"), filepath.Join(dir, "events.tsv")
	if err := os.WriteFile(bold, niftitest.Float32(x, 2, 2, 1, 60).File(), 0o600); err != nil {
		return "", "", err
	}
	return bold, events, os.WriteFile(events, []byte(table), 0o600)
}
