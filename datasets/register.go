package datasets

// describe returns the register without its files, in the order of Sets.
func describe() []Set {
	sets := append(shippedSets(), uciSets()...)
	sets = append(sets, brainSets()...)
	return append(sets, networkSets()...)
}

const (
	byUCI = "CC BY 4.0 (UCI's default)"
	// uciCitation goes behind the authors and the title.
	uciCitation = " [dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/"
	// dataFolder is the advice for files that only the makers of bnlab pass on.
	dataFolder = "it comes in the data folder that is passed around with the project; ask the person who gave you " +
		"the project, " +
		"or its maintainers"
)

// shippedSets are compiled into the program; their README.md say more.
func shippedSets() []Set {
	return []Set{
		{
			Name: "breast-cancer", Title: "Breast cancer, Ljubljana: recurrence after treatment",
			Rows: 286, Columns: 10, Target: "class",
			Source:   "M. Zwitter, M. Soklic, Institute of Oncology, Ljubljana, 1988; Debian package weka 3.6.14-3",
			Licence:  byUCI,
			Citation: "Zwitter, M., Soklic, M. (1988). Breast Cancer" + uciCitation + "C51P4M",
			HowTo:    dataFolder,
		},
		{
			Name: "diabetes", Title: "Diabetes among Pima women of 21 years and more",
			Rows: 768, Columns: 9, Target: "class",
			Source: "National Institute of Diabetes and Digestive and Kidney Diseases, 1990; Debian package weka " +
				"3.6.14-3",
			Licence: "none stated; distributed with weka (GPL-2+); withdrawn by UCI",
			Citation: "Smith, J. W., Everhart, J. E., Dickson, W. C., Knowler, W. C., Johannes, R. S. (1988). Using " +
				"the ADAP learning algorithm " +
				"to forecast the onset of diabetes mellitus. Proc. Symposium on Computer Applications and Medical " +
				"Care, 261-265",
			HowTo: "the raw file was withdrawn by UCI; the table diabetes/data.csv of this package has the same rows " +
				"in the same order",
		},
		{
			Name: "glass", Title: "Glass identification: refractive index and oxides of six types of glass",
			Rows: 214, Columns: 10, Target: "type",
			Source: "B. German, Home Office Forensic Science Service, Aldermaston, 1987; " +
				"Debian package weka 3.6.14-3",
			Licence:  "CC BY 4.0 (assumed: UCI's default)",
			Citation: "German, B. (1987). Glass Identification" + uciCitation + "C5WW2P",
			HowTo:    dataFolder,
		},
		{
			Name: "iris", Title: "Iris: four lengths of three species",
			Rows: 150, Columns: 5, Target: "class",
			Source:  "R. A. Fisher, data of E. Anderson, 1936; Debian package weka 3.6.14-3",
			Licence: byUCI,
			Citation: "Fisher, R. A. (1936). Iris" + uciCitation + "C56C76; " +
				"Annals of Eugenics 7, 179-188, https://doi.org/10.1111/j.1469-1809.1936.tb02137.x",
			HowTo: dataFolder,
		},
		{
			Name: "thyroid", Title: "New thyroid: five laboratory tests and the state of the gland",
			Rows: 215, Columns: 6, Target: "diagnosis",
			Source: "D. Coomans, James Cook University, 1983; Debian package r-cran-mclust 6.0.0-1 (data frame " +
				"thyroid)",
			Licence: byUCI + "; distributed with mclust (GPL-2+)",
			Citation: "Quinlan, R. (1986). Thyroid Disease" + uciCitation +
				"C5D010; Coomans, D., Broeckaert, I., Jonckheer, M., " +
				"Massart, D. L. (1983). Comparison of multivariate discrimination techniques for clinical data: " +
				"application to the " +
				"thyroid functional state. Methods of Information in Medicine 22, 93-101",
			HowTo: dataFolder,
		},
	}
}

// uciSets are fetched as raw files, and the knowledge of the paper Y13 with
// them.
func uciSets() []Set {
	return []Set{
		{
			Name: "heart-disease", Title: "Heart disease, Cleveland: narrowing of the coronary vessels",
			Rows: 303, Columns: 14, Target: "num", Source: "R. Detrano, V.A. Medical Center, Long Beach and " +
				"Cleveland Clinic Foundation, 1988; UCI 45",
			Licence: byUCI,
			Citation: "Janosi, A., Steinbrunn, W., Pfisterer, M., Detrano, R. (1989). Heart Disease" + uciCitation +
				"C52P4X",
		},
		{
			Name: "credit-approval", Title: "Credit approval: 15 attributes whose meaning is kept secret",
			Rows: 690, Columns: 16, Target: "a16", Source: "J. R. Quinlan, 1987; UCI 27",
			Licence:  byUCI,
			Citation: "Quinlan, J. R. (1987). Credit Approval" + uciCitation + "C5FS30",
		},
		{
			Name: "car-evaluation", Title: "Car evaluation: all combinations of six attributes, judged by a " +
				"hierarchy of rules",
			Rows: 1728, Columns: 7, Target: "class", Source: "M. Bohanec, 1988; UCI 19",
			Licence:  byUCI,
			Citation: "Bohanec, M. (1988). Car Evaluation" + uciCitation + "C5JP48",
		},
		{
			Name: "census-income", Title: "Census income (adult): more than $50,000 a year or not, training file",
			Rows: 32561, Columns: 15, Target: "income",
			Source:   "B. Becker, R. Kohavi, from the US census of 1994; UCI 2",
			Licence:  byUCI,
			Citation: "Becker, B., Kohavi, R. (1996). Adult" + uciCitation + "C5XW20",
		},
		{
			Name: "ecoli", Title: "E. coli: where a protein sits in the cell",
			Rows: 336, Columns: 9, Target: "class", Source: "K. Nakai, Osaka University, 1996; UCI 39",
			Licence:  byUCI,
			Citation: "Nakai, K. (1996). Ecoli" + uciCitation + "C5388M",
		},
		{
			Name: "hepatitis", Title: "Hepatitis: who dies and who lives",
			Rows: 155, Columns: 20, Target: "class", Source: "G. Gong, Carnegie Mellon University, 1988; UCI 46",
			Licence:  byUCI,
			Citation: "Gong, G. (1983). Hepatitis" + uciCitation + "C5Q59J",
		},
		{
			Name: "uci-paper", Title: "Heights of the bars in Figures 3 and 4 of Y13, and the knowledge assumed in " +
				"the eleven domains",
			Source:  "measured from the paper's figures (Figure 3 to about 0.002, Figure 4 by eye)",
			Licence: "facts, no licence needed",
			Citation: "Yang, S., Natarajan, S. (2013). Knowledge intensive learning: combining qualitative " +
				"constraints with causal " +
				"independence for parameter learning in probabilistic models. ECML PKDD 2013",
			HowTo: dataFolder,
		},
	}
}
