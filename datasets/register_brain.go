package datasets

// brainSets are images of the brain and names for its places.
func brainSets() []Set {
	return []Set{
		{
			Name: "starplus", Title: "StarPlus fMRI, subject 04847: sentences and pictures, 54 trials",
			Source: "M. Just and others, Carnegie Mellon University; " +
				"http://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-81/www/",
			Licence: "none stated; free for research by its makers' page",
			Citation: "Mitchell, T. M., Hutchinson, R., Niculescu, R. S., Pereira, F., Wang, X., Just, M., Newman, " +
				"S. (2004). Learning to " +
				"decode cognitive states from brain images. Machine Learning 57, 145-175, " +
				"https://doi.org/10.1023/B:MACH.0000035475.85309.1b; " +
				"Carpenter, P. A., Just, M. A., Keller, T. A., Eddy, W. F., Thulborn, K. R. (1999). Time course of " +
				"fMRI-activation in language " +
				"and spatial networks during sentence comprehension. NeuroImage 10, 216-224",
			HowTo: "the means over seven regions (matlab_avergage_rois_04847.mat) and the CSV files made from it are " +
				"not on the StarPlus page, " +
				"which has the voxels (data-starplus-04847-v7.mat: the same variables, data{trial} is time x 4698); " +
				dataFolder,
		},
		{
			Name: "haxby", Title: "Faces and objects in the ventral temporal cortex: fMRI of one subject, 12 runs of " +
				"121 volumes, 2.5 s each",
			Source: "J. V. Haxby and others, 2001; distributed with PyMVPA", Licence: "CC BY-SA 3.0",
			Citation: "Haxby, J. V., Gobbini, M. I., Furey, M. L., Ishai, A., Schouten, J. L., Pietrini, P. (2001). " +
				"Distributed and overlapping " +
				"representations of faces and objects in ventral temporal cortex. Science 293, 2425-2430, " +
				"https://doi.org/10.1126/science.1063736",
			HowTo: "events.tsv is made from the onsets that PyMVPA keeps beside the images " +
				"(mvpa2/data/haxby2001/sub001/model); " + dataFolder,
		},
		{
			Name: "abide", Title: "ABIDE I, site NYU: resting signal of 111 Harvard-Oxford regions, 172 persons, 176 " +
				"images of 2 s",
			Rows: 30272, Columns: 114, Target: "dx_group",
			Source:  "ABIDE Preprocessed, pipeline CPAC, filtered, no global signal regression",
			Licence: "non-commercial research use",
			Citation: "Di Martino, A., and others (2014). The autism brain imaging data exchange. Molecular " +
				"Psychiatry 19, 659-667, " +
				"https://doi.org/10.1038/mp.2013.78",
			HowTo: "one file made from many of " +
				"https://s3.amazonaws.com/fcp-indi/data/Projects/ABIDE_Initiative/Outputs/" +
				"cpac/filt_noglobal/rois_ho/ " +
				"(a .1D file for each person, four significant digits), so that a file of your own has another " +
				"checksum; " + dataFolder,
		},
		{
			Name: "talairach", Title: "Talairach Daemon labels: hemisphere, lobe, gyrus, tissue, cell type",
			Source:  "J. L. Lancaster and others, Research Imaging Center, UTHSCSA; as an XML file of the FSL atlases",
			Licence: "non-commercial use (FSL)",
			Citation: "Lancaster, J. L., and others (2000). Automated Talairach atlas labels for functional brain " +
				"mapping. " +
				"Human Brain Mapping 10, 120-131; corrected 2007, Human Brain Mapping 28, 1194-1205",
			HowTo: "FSL has the labels as data/atlases/Talairach.xml; whether a release has the same bytes is shown " +
				"by the checksum; " + dataFolder,
		},
	}
}
