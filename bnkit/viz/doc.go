// Package viz draws figures: curves with bands, bar charts with error bars, CPTs, networks and
// their posteriors. Each function takes data and returns a [Figure]; nothing is displayed or
// written.
//
//	fig, err := viz.Curves([]viz.Series{
//		{Name: "free", X: cases, Y: free, Lo: freeLo, Hi: freeHi},
//		{Name: "shared", X: cases, Y: shared, Lo: sharedLo, Hi: sharedHi},
//		{Name: "shared, published", X: paperX, Y: paperY, Points: true, As: "shared"},
//	}, &viz.Axes{X: "training cases", Y: "KL to the truth (nats)", LogX: true})
//	...
//	err = fig.SetWidth(85, 8) // for a paper: 85 mm, text of 8 points
//	err = fig.Save("kl.png") // or .svg, or .pdf
//
// [Curves], [Bars], [Dots] and [IntervalBars] give a figure with its gonum plot in the field Plot, to be styled
// further, as does [Trace], how a fit climbed. [Axes].Looks gives series their looks by name.
// [CPT] and [Network] draw tables and graphs, with [Beliefs] the posterior of each variable too, and [Adjacency]
// graphs that are too large for arrows. [Row] sets figures side by side, under one legend where they have one.
//
// The same data give the same bytes, PNG, SVG and PDF, on every run; with letters outside Latin, Greek, Cyrillic and
// Hebrew on every run with the same fonts, see [Figure.PNG]. The colours are those of Okabe and
// Ito, which colour-blind readers can distinguish; lines differ in dashes and markers too.
//
// Not here: showing a figure in a notebook (package nb).
package viz
