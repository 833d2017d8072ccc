// Package nifti reads NIfTI-1 images of the brain: .nii and .nii.gz files, and pairs
// of .hdr and .img.
//
//	r, err := nifti.Open("bold.nii.gz")
//	defer r.Close()
//	for range r.Header.Images {
//		image, err = r.Next(image[:0], nil) // x varies fastest, then y, then z
//	}
//
// Images come one after the other and only the voxels asked for are kept, so that
// memory depends on the mask and not on the file. A mask or an atlas is a file of one
// image: [ReadImage].
//
// Every size in a header is checked before it is believed, and memory grows with the
// bytes that arrive. What is wrong is said by a [FormatError] with the byte.
//
// Not here: NIfTI-2, ANALYZE 7.5, complex and colour images, more than four
// dimensions, writing.
//
// Source: R. W. Cox and others (2004), NIfTI-1 data format, the comments in nifti1.h.
package nifti
