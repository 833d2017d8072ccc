package hpm

// A Model is a fitted study. It prints as a table. (N06 §4.2.)
type Model struct {
	Sharing    Sharing
	VoxelNoise bool // as in [Settings]
	Processes  []Process
	Voxels     []Voxel
	// ImageSeconds is that of the study.
	ImageSeconds float64
	// Clusters are the sets of voxels that share processes, region by region in the order
	// in which the voxels name them.
	Clusters []Cluster
	// Variance is σ² of each voxel, in squared units of the signal: maximum likelihood, so the
	// mean squared residual.
	Variance []float64
	// LogLikelihood is that of the training trials, in nats; with nuisance terms, of the residual
	// signal.
	LogLikelihood float64
	// Trials is the number of training trials.
	Trials int
	// Warnings name results that are not reliable.
	Warnings []string
	// Interrupted: the context ended before the partition was final. The partition found by then was
	// fitted.
	Interrupted bool
}

// A Cluster is a set of voxels that share processes.
type Cluster struct {
	Region string
	// Voxels are its voxels, by number, in ascending order.
	Voxels []int
	// Base is P_k(ℓ), by process and lag, in units of the signal. Lags that no trial shows are 0.
	Base [][]float64
	// Amplitude is c_k^v, by voxel (in the order of Voxels) and process. Only products c·P are
	// identifiable, so for each process Σ_v c² is the number of voxels, and Σ_v c ≥ 0: one voxel has
	// amplitude 1.
	Amplitude [][]float64
	// Rank is the number of values in Base that the trials determine. The others are those of the
	// minimum-norm solution.
	Rank int
	// Parameters is the number of fitted parameters without variances: Rank, and for each process
	// that trials show an amplitude of each voxel but one.
	Parameters int
	// SquaredError is the sum of squared residuals.
	SquaredError float64
	// Sweeps is the number of iterations of Algorithm 2; 0 for a closed form.
	Sweeps int
	// Converged is false when Settings.MaxSweeps ended the fit.
	Converged bool
}
