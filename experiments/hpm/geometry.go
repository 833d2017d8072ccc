package hpm

import (
	"math"

	"bnlab/bnkit/hpm"
	"bnlab/internal/say"
)

// focus is the region of N06 Table 2, the visual cortex.
const focus = "CALC"

// layers is the number of slices of the StarPlus images.
const layers = 8

// formulaVoxels are the voxels of the regions of N06 Table 3 in its order, at places by formula: regions
// lie in six columns and four rows, each as a block that is about square and eight slices
// high, filled slice by slice.
func formulaVoxels(regions []row) []hpm.Voxel {
	const columns, pitch = 6, 9 // the largest block is 8 wide
	var voxels []hpm.Voxel
	for r, region := range regions {
		side := int(math.Ceil(math.Sqrt(float64(region.size) / layers)))
		for i := range region.size {
			j := i / layers
			voxels = append(voxels, hpm.Voxel{
				X: 1 + pitch*(r%columns) + j%side, Y: 1 + pitch*(r/columns) + j/side, Z: 1 + i%layers,
				Region: region.name,
			})
		}
	}
	return voxels
}

// readVoxels takes places and regions of voxels from a StarPlus file, region by region as in N06 Table 3, whose
// numbers of voxels they have to have.
func readVoxels(path string, regions []row) ([]hpm.Voxel, error) {
	all, err := hpm.StarPlus{}.Voxels(path)
	if err != nil {
		return nil, err
	}
	var voxels []hpm.Voxel
	for _, region := range regions {
		before := len(voxels)
		for _, v := range all {
			if v.Region == region.name {
				voxels = append(voxels, v)
			}
		}
		if n := len(voxels) - before; n != region.size {
			return nil, say.Errorf("%s: region %s has %d voxels, want %d (N06 Table 3)", path, region.name, n,
				region.size)
		}
	}
	return voxels, nil
}
