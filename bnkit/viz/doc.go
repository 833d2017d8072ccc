// Package viz draws: curves with bands, bars with whiskers, the table of a
// variable, the graph of a network and its posteriors. Data go in, a [Figure] comes out; nothing
// is displayed and nothing is written until asked.
//
//	fig, err := viz.Curves([]viz.Series{
//		{Name: "free", X: cases, Y: free, Lo: freeLo, Hi: freeHi},
//		{Name: "shared", X: cases, Y: shared, Lo: sharedLo, Hi: sharedHi},
//		{Name: "shared, published", X: paperX, Y: paperY, Points: true, As: "shared"},
//	}, &viz.Axes{X: "training cases", Y: "KL to the truth (nats)", LogX: true})
//	...
//	err = fig.Save("kl.png")
//
// [Curves] and [Bars] give a figure with its gonum plot in the field Plot, to be
// styled further; [FromPlot] makes a figure of any plot. [CPT] and [Network] draw
// tables and graphs, [Posteriors] a graph with what is believed of each variable.
// [Row] sets figures side by side.
//
// The same data give the same bytes, PNG and SVG, on every run. Colours are those
// of Okabe and Ito, which colour-blind readers tell apart.
//
// Not here: showing a figure in a notebook (package nb).
package viz
