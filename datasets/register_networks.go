package datasets

// networkSets are Bayesian networks and data for them.
func networkSets() []Set {
	const bnlearn = "Scutari, M. (2010). Learning Bayesian networks with the bnlearn R package. Journal of " +
		"Statistical Software 35(3), 1-22, " +
		"https://doi.org/10.18637/jss.v035.i03"
	return []Set{
		{
			Name: "bnlearn-networks", Title: "Sixteen networks of the Bayesian Network Repository, in BIF",
			Source:   "M. Scutari, https://www.bnlearn.com/bnrepository/",
			Licence:  "CC BY-SA 3.0 (the repository's pages)",
			Citation: bnlearn + "; the repository's page of each network names its own authors",
		},
		{
			Name: "bnlearn-data", Title: "Data frames of the R package bnlearn: alarm, asia, insurance, coronary and " +
				"three made-up ones",
			Source: "R package bnlearn (CRAN), written as CSV", Licence: "GPL-2+ (the package)", Citation: bnlearn,
			HowTo: "the R package bnlearn has the same values, data(alarm) and so on; a file of your own has another " +
				"checksum; " + dataFolder,
		},
		{
			Name: "bnlearn-samples", Title: "Samples drawn from the networks alarm and insurance; one with the 15 " +
				"observed variables of R95",
			Source:  "drawn from alarm.bif and insurance.bif of the repository",
			Licence: "CC BY-SA 3.0 (as the networks)", Citation: bnlearn,
			HowTo: "draw your own sample from the network (another draw, another checksum); " + dataFolder,
		},
	}
}
