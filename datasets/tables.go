package datasets

// tables has an entry for each set that is one described table.
var tables = map[string]table{
	"breast-cancer":   {header: true, columns: breastCancerColumns()},
	"diabetes":        {header: true, columns: diabetesColumns()},
	"glass":           {header: true, columns: glassColumns()},
	"iris":            {header: true, columns: irisColumns()},
	"thyroid":         {header: true, columns: thyroidColumns()},
	"heart-disease":   {columns: heartColumns()},
	"credit-approval": {columns: creditColumns()},
	"car-evaluation":  {columns: carColumns()},
	"census-income":   {columns: censusColumns()},
	"ecoli":           {columns: ecoliColumns(), blanks: true},
	"hepatitis":       {columns: hepatitisColumns()},
}

func breastCancerColumns() []Column {
	return []Column{
		ordered("age", "age at diagnosis", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70-79", "80-89",
			"90-99").in("years"),
		nominal("menopause", "at diagnosis: before 40, at 40 or later, not yet", "lt40", "ge40", "premeno"),
		ordered("tumor_size", "largest diameter of the tumour",
			"0-4", "5-9", "10-14", "15-19", "20-24", "25-29", "30-34", "35-39", "40-44", "45-49", "50-54",
			"55-59").in("mm"),
		ordered("inv_nodes", "axillary lymph nodes with metastases",
			"0-2", "3-5", "6-8", "9-11", "12-14", "15-17", "18-20", "21-23", "24-26", "27-29", "30-32", "33-35",
			"36-39").in("nodes"),
		ordered("node_caps", "metastasis has broken through a node's capsule", "no", "yes"),
		ordered("deg_malig", "histological grade of the tumour", "1", "2", "3"),
		nominal("breast", "side", "left", "right"),
		nominal("breast_quad", "quadrant of the breast", "left_up", "left_low", "right_up", "right_low", "central"),
		ordered("irradiat", "radiation therapy", "no", "yes"),
		ordered("class", "the cancer came back", "no-recurrence-events", "recurrence-events"),
	}
}

func diabetesColumns() []Column {
	return []Column{
		numeric(Integer, "preg", "", "number of times pregnant"),
		numeric(Integer, "plas", "mg/dl", "plasma glucose, 2 hours in an oral glucose tolerance test; 0 means missing"),
		numeric(Integer, "pres", "mm Hg", "diastolic blood pressure; 0 means missing"),
		numeric(Integer, "skin", "mm", "triceps skin fold thickness; 0 means missing"),
		numeric(Integer, "insu", "mu U/ml", "2-hour serum insulin; 0 means missing"),
		numeric(Real, "mass", "kg/m^2", "body mass index; 0 means missing"),
		numeric(Real, "pedi", "", "diabetes pedigree function"),
		numeric(Integer, "age", "years", "age"),
		ordered("class", "signs of diabetes by the WHO criteria", "tested_negative", "tested_positive"),
	}
}

func glassColumns() []Column {
	oxide := func(name, meaning string) Column { return numeric(Real, name, "weight % of the oxide", meaning) }
	return []Column{
		numeric(Real, "ri", "", "refractive index"),
		oxide("na", "sodium"), oxide("mg", "magnesium"), oxide("al", "aluminium"), oxide("si", "silicon"),
		oxide("k", "potassium"), oxide("ca", "calcium"), oxide("ba", "barium"), oxide("fe", "iron"),
		nominal("type", "kind of glass; vehicle windows that are not float processed do not occur",
			"building_windows_float_processed", "building_windows_non_float_processed",
			"vehicle_windows_float_processed", "vehicle_windows_non_float_processed",
			"containers", "tableware", "headlamps"),
	}
}

func irisColumns() []Column {
	return []Column{
		numeric(Real, "sepal_length", "cm", "length of a sepal"),
		numeric(Real, "sepal_width", "cm", "width of a sepal"),
		numeric(Real, "petal_length", "cm", "length of a petal"),
		numeric(Real, "petal_width", "cm", "width of a petal"),
		nominal("class", "species of Iris", "setosa", "versicolor", "virginica"),
	}
}

func thyroidColumns() []Column {
	return []Column{
		ordered("diagnosis", "function of the gland, from the complete medical record", "hypo", "normal", "hyper"),
		numeric(Integer, "rt3u", "%", "T3-resin uptake test"),
		numeric(Real, "t4", "", "total serum thyroxin, by the isotopic displacement method"),
		numeric(Real, "t3", "", "total serum triiodothyronine, by radioimmuno assay"),
		numeric(Real, "tsh", "", "basal thyroid-stimulating hormone (TSH), by radioimmuno assay"),
		numeric(Real, "dtsh", "", "largest difference of TSH to the basal value after 200 micrograms of "+
			"thyrotropin-releasing hormone"),
	}
}
