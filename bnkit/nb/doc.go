// Package nb displays figures, tables, text and progress in a notebook cell.
//
//	df := nb.Must(bnkit.ReadCSV("cases.csv", nil))
//	nb.Table(df)
//	nb.Printf("%d cases\n", df.Nrow())
//	nb.Show(nb.Must(nb.Network(net, infer.Evidence{"xray": "yes"})))
//
// [Explore] shows a network that answers clicks, and [Slide] what a margin or a strength does to a fit, in a saved
// notebook too. [SideBySide] sets things in a row, and
// [CompareCPT] shows where two models part.
//
// A figure of few marks is an SVG, whose names can be selected and whose marks tell their numbers when a pointer is on
// them; where no script runs, as on GitHub, it is the same picture as PNG.
//
// Output appears in the order of the calls. fmt.Print takes another way to the notebook and may
// overtake a figure, so print with [Printf] or [Println] in a cell that shows anything.
//
// Each cell is a separate program: [Keep] computes a value once, for later cells and the next day.
//
// What may take long takes a context first; [Context] is the one that ends when the cell is interrupted.
//
// Outside a notebook the same code prints plain text: aligned tables, a line for each figure.
// Nothing waits for user input.
//
// Not here: drawing (package viz), learning (package bnkit).
package nb
