package hpm_test

import (
	"fmt"

	"bnlab/bnkit/hpm"
)

// A face is seen at image 1 and a house at image 2, and each is answered over two images: viz.DesignMatrix draws it.
func ExampleStudy_Design() {
	study := &hpm.Study{Processes: []hpm.Process{{Name: "face", Length: 2}, {Name: "house", Length: 2}},
		Voxels: []hpm.Voxel{{}}, Trials: []hpm.Trial{{Images: 3, Data: []float64{1, 4, 2},
			Onsets: []hpm.Onset{{Process: "face", Image: 1}, {Process: "house", Image: 2}}}}}
	design, err := study.Design(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(design.Columns)
	for i, row := range design.Rows {
		fmt.Println(design.Trials[i], row)
	}
	// Output:
	// [face face house house]
	// trial 0 [1 0 0 0]
	// trial 0 [0 1 1 0]
	// trial 0 [0 0 0 1]
}
