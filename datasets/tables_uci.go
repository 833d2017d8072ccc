package datasets

import (
	"bnlab/internal/say"
)

// The tables below read UCI's raw files. Names and order of the columns are
// those of the files' documentation, in snake_case.

func heartColumns() []Column {
	no, yes := "no", "yes"
	return []Column{
		numeric(Integer, "age", "years", "age"),
		nominal("sex", "", "female", "male").coded("0", "1"),
		nominal("cp", "chest pain", "typical_angina", "atypical_angina", "non_anginal_pain", "asymptomatic").coded("1",
			"2", "3", "4"),
		numeric(Integer, "trestbps", "mm Hg", "resting blood pressure on admission"),
		numeric(Integer, "chol", "mg/dl", "serum cholesterol"),
		ordered("fbs", "fasting blood sugar above 120 mg/dl", no, yes).coded("0", "1"),
		nominal("restecg", "resting electrocardiogram", "normal", "st_t_abnormality",
			"left_ventricular_hypertrophy").coded("0", "1", "2"),
		numeric(Integer, "thalach", "beats/min", "largest heart rate reached"),
		ordered("exang", "angina by exercise", no, yes).coded("0", "1"),
		numeric(Real, "oldpeak", "mm", "ST depression by exercise relative to rest"),
		nominal("slope", "slope of the peak exercise ST segment", "upsloping", "flat", "downsloping").coded("1", "2",
			"3"),
		numeric(Integer, "ca", "", "major vessels (0-3) coloured by fluoroscopy"),
		nominal("thal", "thallium scan", "normal", "fixed_defect", "reversible_defect").coded("3", "6", "7"),
		ordered("num", "heart disease by angiography: 0 is none, 1 to 4 a vessel narrowed by more than half", "0", "1",
			"2", "3", "4"),
	}
}

func creditColumns() []Column {
	f, t := "f", "t"
	return []Column{
		nominal("a1", "", "b", "a"),
		numeric(Real, "a2", "", ""),
		numeric(Real, "a3", "", ""),
		nominal("a4", "", "u", "y", "l", "t"),
		nominal("a5", "", "g", "p", "gg"),
		nominal("a6", "", "c", "d", "cc", "i", "j", "k", "m", "r", "q", "w", "x", "e", "aa", "ff"),
		nominal("a7", "", "v", "h", "bb", "j", "n", "z", "dd", "ff", "o"),
		numeric(Real, "a8", "", ""),
		ordered("a9", "false or true", f, t),
		ordered("a10", "false or true", f, t),
		numeric(Integer, "a11", "", ""),
		ordered("a12", "false or true", f, t),
		nominal("a13", "", "g", "p", "s"),
		numeric(Integer, "a14", "", ""),
		numeric(Integer, "a15", "", ""),
		ordered("a16", "credit refused or approved", "-", "+"),
	}
}

func carColumns() []Column {
	return []Column{
		ordered("buying", "buying price", "low", "med", "high", "vhigh"),
		ordered("maint", "price of the maintenance", "low", "med", "high", "vhigh"),
		ordered("doors", "number of doors", "2", "3", "4", "5more"),
		ordered("persons", "capacity", "2", "4", "more"),
		ordered("lug_boot", "size of the luggage boot", "small", "med", "big"),
		ordered("safety", "estimated safety", "low", "med", "high"),
		ordered("class", "acceptability", "unacc", "acc", "good", "vgood"),
	}
}

func ecoliColumns() []Column {
	return []Column{
		{Name: "sequence_name", Kind: Label, Meaning: "accession number of SWISS-PROT"},
		numeric(Real, "mcg", "", "McGeoch's method for signal sequence recognition"),
		numeric(Real, "gvh", "", "von Heijne's method for signal sequence recognition"),
		numeric(Real, "lip", "", "von Heijne's Signal Peptidase II consensus sequence score; two values"),
		numeric(Real, "chg", "", "charge on the N-terminus of predicted lipoproteins; two values"),
		numeric(Real, "aac", "", "discriminant analysis of the amino acid content of outer membrane and periplasmic "+
			"proteins"),
		numeric(Real, "alm1", "", "score of the ALOM membrane spanning region prediction"),
		numeric(Real, "alm2", "", "score of ALOM after leaving out putative cleavable signal regions"),
		nominal("class", "place: cp cytoplasm, im inner membrane, pp periplasm, imU inner membrane with uncleavable "+
			"signal, om outer "+
			"membrane, omL and imL lipoproteins, imS inner membrane with cleavable signal", "cp", "im", "pp", "imU",
			"om", "omL", "imL", "imS"),
	}
}

// hepatitisColumns keeps the codes 1 and 2 of all two-valued attributes but
// the class. The documentation lists "no, yes" and "male, female", but does
// not say which code is which, published copies differ, and the data speak
// against one rule for all (ascites with code 1: 20 of 155, of whom most die).
func hepatitisColumns() []Column {
	code := func(name string) Column {
		return nominal(name, "code 1 or 2; which is no and which is yes is not documented", "1", "2")
	}
	return []Column{
		ordered("class", "outcome", "die", "live").coded("1", "2"),
		numeric(Integer, "age", "years", "age"),
		nominal("sex", "code 1 or 2; which is male and which is female is not documented", "1", "2"),
		code("steroid"), code("antivirals"), code("fatigue"), code("malaise"), code("anorexia"),
		code("liver_big"), code("liver_firm"), code("spleen_palpable"), code("spiders"), code("ascites"),
		code("varices"),
		numeric(Real, "bilirubin", "", "bilirubin"),
		numeric(Integer, "alk_phosphate", "", "alkaline phosphatase"),
		numeric(Integer, "sgot", "", "serum glutamic-oxaloacetic transaminase"),
		numeric(Real, "albumin", "", "albumin"),
		numeric(Integer, "protime", "", "prothrombin time"),
		code("histology"),
	}
}

func censusColumns() []Column {
	return []Column{
		numeric(Integer, "age", "years", "age"),
		nominal("workclass", "employer", "Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov", "Local-gov",
			"State-gov",
			"Without-pay", "Never-worked"),
		numeric(Integer, "fnlwgt", "persons", "weight of the row in the census bureau's estimates, comparable within "+
			"a state only"),
		ordered("education", "highest level, in the order of education_num", "Preschool", "1st-4th", "5th-6th",
			"7th-8th", "9th", "10th", "11th",
			"12th", "HS-grad", "Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school",
			"Doctorate"),
		numeric(Integer, "education_num", "", "number of the level in education, 1 to 16"),
		nominal("marital_status", "", "Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed",
			"Married-spouse-absent",
			"Married-AF-spouse"),
		nominal("occupation", "", "Tech-support", "Craft-repair", "Other-service", "Sales", "Exec-managerial",
			"Prof-specialty",
			"Handlers-cleaners", "Machine-op-inspct", "Adm-clerical", "Farming-fishing", "Transport-moving",
			"Priv-house-serv",
			"Protective-serv", "Armed-Forces"),
		nominal("relationship", "", "Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried"),
		nominal("race", "", "White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black"),
		nominal("sex", "", "Female", "Male"),
		numeric(Integer, "capital_gain", "$", ""),
		numeric(Integer, "capital_loss", "$", ""),
		numeric(Integer, "hours_per_week", "hours", "work"),
		nominal("native_country", "", "United-States", "Cambodia", "England", "Puerto-Rico", "Canada", "Germany",
			"Outlying-US(Guam-USVI-etc)", "India", "Japan", "Greece", "South", "China", "Cuba", "Iran", "Honduras",
			"Philippines",
			"Italy", "Poland", "Jamaica", "Vietnam", "Mexico", "Portugal", "Ireland", "France", "Dominican-Republic",
			"Laos",
			"Ecuador", "Taiwan", "Haiti", "Columbia", "Hungary", "Guatemala", "Nicaragua", "Scotland", "Thailand",
			"Yugoslavia",
			"El-Salvador", "Trinadad&Tobago", "Peru", "Hong", "Holand-Netherlands"),
		ordered("income", "in a year", "<=50K", ">50K").in("$"),
	}
}

// stateOf returns the state that a cell of the raw file means.
func (c Column) stateOf(cell string) (string, error) {
	raw := c.codes
	if raw == nil {
		raw = c.States
	}
	for i, code := range raw {
		if cell == code {
			return c.States[i], nil
		}
	}
	return "", say.Errorf("%q is none of %q", cell, raw)
}
