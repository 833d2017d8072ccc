package hpm

import (
	"fmt"
	"math"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Sharing is what the voxels of a region have in common.
type Sharing int

const (
	// Voxelwise: each voxel has processes of its own (StHPM; Dale 1999).
	Voxelwise Sharing = iota
	// Shared: the voxels of a region share processes up to an amplitude for each voxel and
	// process (ShHPM; N06 Algorithm 2).
	Shared
	// Hierarchical: regions are split as long as that improves the held-out score, and the voxels of
	// a cell share (HieHPM; N06 Algorithm 3).
	Hierarchical
)

// String names what is shared.
func (s Sharing) String() string {
	switch s {
	case Voxelwise:
		return "voxelwise"
	case Shared:
		return "shared"
	case Hierarchical:
		return "hierarchical"
	}
	return fmt.Sprintf("Sharing(%d)", int(s))
}

// Settings are the settings of a run. Nil means the defaults.
type Settings struct {
	// VoxelNoise gives each voxel a variance of its own. Without it there is one variance for each set of voxels that
	// share processes; voxelwise, for each region (N06 §4.2). A split then also gains where only the noise of voxels
	// differs.
	VoxelNoise bool
	// CutZ lets Hierarchical cut cells in x, y and z, into 2 × 2 × 2; without it they are cut in
	// x and y, into 2 × 2 (N06 Algorithm 3 as it was run).
	CutZ bool
	// Folds are the trials, by number, that are held out together; each trial is in one. Nil is
	// [Study.LeaveOneRunOut] where trials name at least two runs, and otherwise
	// [Study.LeaveOneOfEachOut]. Fit uses them with Hierarchical only.
	Folds [][]int
	// Tolerance is the decrease of the squared error, relative to its size, at which
	// Algorithm 2 stops; 0 means 1e-12. With VoxelNoise it is the decrease of the mean of log σ².
	// Held-out scores depend on the distance from the optimum, of the order of the square root: at 1e-10
	// those of a run of 529 voxels and 121 images move by hundredths of a nat.
	Tolerance float64
	// MaxSweeps bounds the sweeps of Algorithm 2; 0 means 10000.
	MaxSweeps int
	// Workers bounds the number of processors; 0 means all. Results do not depend on it.
	Workers int
	// Progress, when not nil, is called after each step, never twice at a time; nb.Progress
	// shows it. A run that is interrupted calls it once more, with total lowered to done.
	Progress func(done, total int)
}

// defaults returns settings without zeros, and an error for what is out of range.
func (s *Settings) defaults(sharing Sharing) (*Settings, error) {
	var c Settings
	if s != nil {
		c = *s
	}
	switch {
	case sharing < Voxelwise || sharing > Hierarchical:
		return nil, say.Errorf("hpm: the sharing %v is unknown; take Voxelwise, Shared or Hierarchical", sharing)
	case !(c.Tolerance >= 0) || math.IsInf(c.Tolerance, 1):
		return nil, say.Errorf("hpm: Tolerance is %v; give a positive number, or 0 for 1e-12", c.Tolerance)
	case c.MaxSweeps < 0:
		return nil, fmt.Errorf("hpm: MaxSweeps is %d; give a positive number, or 0 for 10000", c.MaxSweeps)
	case c.Workers < 0:
		return nil, fmt.Errorf("hpm: Workers is %d; give a positive number, or 0 for all processors", c.Workers)
	}
	if c.Tolerance == 0 {
		c.Tolerance = 1e-12
	}
	if c.MaxSweeps == 0 {
		c.MaxSweeps = 10000
	}
	c.Workers = pool.Workers(c.Workers)
	return &c, nil
}
