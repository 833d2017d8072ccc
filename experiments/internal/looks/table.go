package looks

import (
	"fmt"
	"image/color"

	"bnlab/bnkit/viz"
)

// The colours of Okabe and Ito without yellow, by their lightness (CIE L*).
var (
	dark      = color.NRGBA{70, 70, 70, 255}    // 30
	blue      = color.NRGBA{0, 114, 178, 255}   // 46
	vermilion = color.NRGBA{213, 94, 0, 255}    // 53
	green     = color.NRGBA{0, 158, 115, 255}   // 58
	purple    = color.NRGBA{204, 121, 167, 255} // 61
	sky       = color.NRGBA{86, 180, 233, 255}  // 70
	orange    = color.NRGBA{230, 159, 0, 255}   // 71
)

// Greys of what is no learner: where a difference is significant, published numbers, upper limits.
var (
	black     = color.Gray{20}
	darkGrey  = color.Gray{90}
	grey      = color.Gray{130}
	lightGrey = color.Gray{170}
)

// The dashes, in points.
var (
	solid   []float64
	dashed  = []float64{6, 2.5}
	short   = []float64{3, 1.5} // only of learners without knowledge
	long    = []float64{10, 3}
	dashDot = []float64{7, 2, 1.5, 2}
	twoDots = []float64{7, 2, 1.5, 2, 1.5, 2}
	dotted  = []float64{1.5, 2} // only of what is false, or worth less than a learner
)

func look(c color.Color, dash []float64, marker string) viz.Look {
	return viz.Look{Color: c, Dash: dash, Marker: marker}
}

// Looks of what several learners know.
var (
	nothing    = look(dark, short, "disc")
	everything = look(blue, solid, "square")
	influences = look(orange, dashed, "triangle")
	noisyORs   = look(vermilion, dashDot, "diamond")
)

// table has the look of each learner.
var table = map[string]viz.Look{
	// 00, the quick start.
	"data alone":                      nothing,
	"with knowledge":                  everything,
	"with the statement":              everything,
	"without the costliest statement": look(orange, dashed, "triangle"),
	"base rate":                       look(dark, dotted, "cross"),

	// 01, sharing, and 02, the classes of constraints, missing cells, sharing found in data.
	"STBN":                           nothing,
	"PDKBN":                          everything,
	"free":                           nothing,
	"constrained":                    everything,
	"complete families":              nothing,
	"complete families, constrained": look(sky, dashDot, "wedge"),
	"EM":                             look(orange, dashed, "triangle"),
	"EM, constrained":                everything,
	"oracle":                         look(green, dotted, "plus"),
	"Bayes factor":                   look(vermilion, dashDot, "diamond"),
	"Bayes factor, restricted prior": look(purple, twoDots, "wedge"),
	"cross-validation":               look(orange, dashed, "triangle"),
	"averaged":                       everything,
	"averaged over runs":             look(sky, long, "cross"),

	// 03, classes of constraints.
	"free, one distribution":   nothing,
	"free, four distributions": look(sky, short, "cross"),
	"2 sharing":                everything,
	"4 sum sharing":            look(orange, dashed, "triangle"),
	"6 sharing across":         look(green, long, "wedge"),
	"10 order of sums":         look(purple, twoDots, "plus"),
	"11 upper bound":           look(vermilion, dashDot, "diamond"),

	// 04, adaptive probabilistic networks.
	"APN 3-3":        look(orange, dashed, "triangle"),
	"neural network": look(vermilion, dashDot, "diamond"),
	"neural network, weight decay, at least one hidden node": look(purple, dashed, "diamond"),
	"output proportions":                           nothing,
	"APN 3-1-3":                                    everything,
	"APN 3-1-3, one pseudocount per cell":          look(sky, dashDot, "wedge"),
	"APN 3-1-3, stopped early":                     look(green, long, "plus"),
	"APN, true structure":                          everything,
	"APN, true structure, one virtual case a cell": look(sky, dashDot, "wedge"),
	"APN, true structure, stopped early":           look(green, long, "plus"),
	"APN 12-3":                                     look(orange, dashed, "triangle"),
	"APN 12-3, unseen as proportions":              look(purple, twoDots, "cross"),
	"decision trees, pruned by errors":             look(orange, dashDot, "wedge"),
	"decision trees, pruned by likelihood":         look(orange, long, "cross"),
	"nearest neighbours":                           look(sky, dashed, "triangle"),
	"DPN, exact gradients":                         everything,
	"DPN, likelihood weighting":                    look(orange, dashed, "triangle"),
	"HMM over the joint state":                     nothing,
	"APN, noisy-OR":                                noisyORs,
	"APN, free tables":                             nothing,
	"APN, noisy-OR, begun without knowledge":       look(purple, dashed, "wedge"),
	"right, the class given the rest":              everything,
	"naive Bayes, all variables":                   look(orange, dashed, "triangle"),
	"naive Bayes, the class given the rest":        look(green, dashDot, "wedge"),
	"Polak–Ribière":                                everything,
	"L-BFGS":                                       look(vermilion, dashDot, "diamond"),

	// 05, courses of EM and gradients.
	"em":              nothing,
	"em-w00-a":        look(orange, dashed, "triangle"),
	"em-w00-b":        look(vermilion, dashDot, "diamond"),
	"em-exact":        everything,
	"apn":             look(purple, twoDots, "cross"),
	"apn-constrained": look(green, long, "plus"),

	// 06, influences, synergies and noisy-ORs.
	"none":              nothing,
	"noisy-or":          noisyORs,
	"monotone":          influences,
	"synergy":           look(sky, twoDots, "wedge"),
	"monotone+noisy-or": look(green, long, "cross"),
	"synergy+noisy-or":  everything,

	// 07, hidden processes.
	"StHPM":  nothing,
	"ShHPM":  look(orange, dashed, "triangle"),
	"HieHPM": everything,

	// 08, search in a hierarchy, and what its figures mark.
	"flat":                               nothing,
	"RFW-Hier":                           look(orange, dashed, "triangle"),
	"PW-Hier":                            everything,
	"true tables known":                  look(grey, dotted, "plus"),
	"true links known":                   look(lightGrey, dotted, "cross"),
	"PW-Hier and flat differ (p < 0.05)": look(black, solid, "disc"),
	"the paper, in words":                look(darkGrey, solid, "diamond"),
	"the paper":                          look(lightGrey, solid, "diamond"),
	"the setting chosen":                 look(darkGrey, solid, "disc"),
	"always the larger class":            look(darkGrey, dotted, "cross"),
	"2 states":                           everything,
	"3 states":                           look(vermilion, dashDot, "triangle"),
	"4 states":                           look(green, long, "wedge"),
	"5 states":                           look(purple, twoDots, "plus"),
	"the paper: from here on, or between these, PW-Hier wins more": look(darkGrey, solid, "diamond"),

	// 09, engines.
	"memory":   everything,
	"duckdb":   look(vermilion, dashDot, "diamond"),
	"database": look(vermilion, dashDot, "diamond"), // of a test

	// 11, graphs.
	"tiers":                    look(sky, twoDots, "wedge"),
	"signs":                    influences,
	"tiers and signs":          everything,
	"hierarchy":                look(vermilion, long, "wedge"),
	"tiers, ¼ misplaced":       look(sky, dotted, "cross"),
	"signs, ¼ reversed":        look(orange, dotted, "plus"),
	"PC-stable":                look(purple, dashed, "diamond"),
	"MMHC":                     look(green, dashDot, "diamond"),
	"sharing":                  look(green, dashed, "wedge"),
	"noisy-OR":                 noisyORs,
	"several":                  everything,
	"statements":               look(purple, dashed, "diamond"),
	"sharing, ¼ mixed up":      look(green, dotted, "cross"),
	"noisy-OR, ¼ turned round": look(vermilion, dotted, "plus"),
	"several, ¼ false":         look(blue, dotted, "cross"),
	"structural EM":            everything,
	"modes imputed":            look(orange, dashed, "triangle"),
	"rows dropped by family":   nothing,
	"averages by family":       look(purple, dashDot, "diamond"),
	"as many":                  look(color.NRGBA{150, 150, 150, 255}, dotted, "disc"),

	// 12, statements weighed.
	"all believed":  look(orange, dashed, "triangle"),
	"worst dropped": look(green, dashDot, "wedge"),
	"at a price":    look(purple, twoDots, "diamond"),
	"picked":        look(vermilion, dashed, "diamond"),
	"proposed":      everything,
	"at random":     nothing,
}

func init() {
	steps := []float64{0.01, 0.1, 1, 10}
	for i, c := range []color.Color{sky, purple, green, dark} {
		table[fmt.Sprintf("plain, divided, α = %g", steps[i])] = look(c, long, "wedge")
		table[fmt.Sprintf("plain, projected, α = %g", steps[i])] = look(c, dotted, "cross")
	}
	for i, strength := range []float64{0.6, 0.8, 0.95} {
		table[fmt.Sprintf("averaged, %g", strength)] = []viz.Look{look(orange, dashed, "triangle"),
			look(green, dashDot, "wedge"), look(purple, twoDots, "diamond")}[i]
	}
}
