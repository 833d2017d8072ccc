// Package hpm learns hidden process models from functional images of the brain (N06 §4.2, §5.2).
//
// The signal of voxel v at image t of trial n is a sum of processes that began at known
// images t_nk, and Gaussian noise:
//
//	x_nt^v ~ N(Σ_k c_k^v P_k(t − t_nk + 1), σ²),   P_k(ℓ) = 0 for ℓ outside 1 … T_k.
//
// Three models differ in what voxels share ([Sharing]): nothing ([Voxelwise]: the finite
// impulse response model of Dale 1999, StHPM in the paper), the processes of a region up to amplitudes
// c ([Shared], ShHPM), or those of the cells of a partition that is found by nested
// cross-validation ([Hierarchical], HieHPM).
//
// A [Study] holds processes, voxels and trials. [Fit] returns a [Model], and [Study.CrossValidate] says
// how well models predict trials they have not seen:
//
//	model, err := hpm.Fit(ctx, study, hpm.Shared, nil)
//	check, err := study.CrossValidate(ctx, hpm.Hierarchical, &hpm.Settings{Workers: 2})
//	fmt.Println(check) // average log score, clusters, region by region
//
// All fits work on sums over trials, kept fold by fold: with S_n the 0/1 matrix from the
// values of processes to the images of trial n,
//
//	G = Σ S_n'S_n,   b_v = Σ S_n'x_n^v,   y_v = Σ |x_n^v|².
//
// Leaving trials out subtracts their sums, so images are read once however many models
// are fitted.
//
// Not here: onsets that have to be estimated, noise that is correlated in time, and several
// instances of a process at once.
package hpm
