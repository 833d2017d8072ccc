package hpm

// A Study is the data: time series of voxels over trials, and the onsets of processes. Images are counted from
// 1, as in the paper; trials and voxels from 0.
type Study struct {
	Processes []Process
	Voxels    []Voxel
	Trials    []Trial
	// ImageSeconds is the time between images (TR) in seconds. Results are in images; it is
	// for axes and tables. 0 is unknown.
	ImageSeconds float64
	// Sides name the sides of the head at the least and at the greatest X, as {"R", "L"}, for pictures; empty where
	// they are not known.
	Sides [2]string
	// Nuisance are further terms of the signal. The zero value means none.
	Nuisance Nuisance
}

// A Process is the response to a stimulus, a time series (N06 §4.2).
type Process struct {
	Name string
	// Length is its duration, T, in images. Those of all processes are at most 8192 together.
	Length int
}

// A Voxel is a place whose signal was recorded.
type Voxel struct {
	// X, Y, Z are its place in the grid of voxels. X and Y span a slice.
	X, Y, Z int
	// Region is the region of interest it belongs to. Voxels of different regions never share
	// processes. Empty is a region like any other.
	Region string
}

// A Trial is one observation of all voxels.
type Trial struct {
	// Name is for messages; empty means the trial's number.
	Name string
	// Run is the scanner's run that the trial is part of. Trials with the same run share its
	// nuisance terms, in the order of the study as if they followed one another. Where it is
	// empty the trial is a run of its own.
	Run string
	// Images is the number of images of the trial.
	Images int
	// Onsets are the starts of processes. A process may begin several times, but not while it is
	// still running.
	Onsets []Onset
	// VoxelOnsets, when not nil, gives each voxel onsets of its own in place of Onsets, as for
	// slices that are recorded at different times.
	VoxelOnsets [][]Onset
	// Data is the signal, Images × voxels: a row for each image.
	Data []float64
	// Confounds is Images × Nuisance.Confounds: a row for each image.
	Confounds []float64
}

// An Onset is the start of a process.
type Onset struct {
	Process string
	// Image is the first image with the process in it, t_nk; 1 is the first of the trial. The
	// process adds its value P_k(t − Image + 1) to image t.
	Image int
}

// Nuisance are terms of the signal other than processes. Each has a coefficient for
// every voxel and run. They are projected out of signal and processes, which gives the
// same processes as a joint fit (Frisch and Waugh 1933), and scores
// are those of the residual: a run of n images and r independent terms counts as n − r.
type Nuisance struct {
	// Intercept is a constant.
	Intercept bool
	// Drift is the degree of a polynomial in time; 0 is none. It implies Intercept.
	Drift int
	// Confounds names the columns of Trial.Confounds, such as head movements.
	Confounds []string
}
