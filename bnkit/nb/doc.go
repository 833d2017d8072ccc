// Package nb shows things in a notebook cell: pictures, tables, text, progress.
//
//	df := nb.Must(bnkit.ReadCSV("cases.csv", nil))
//	nb.Table(df)
//	nb.Printf("%d cases\n", df.Nrow())
//	nb.Show(nb.Must(nb.Network(net, infer.Evidence{"xray": "yes"})))
//
// What a cell shows appears in the order of the calls. fmt.Print takes another way to
// the notebook and may overtake a picture, so a cell that shows anything prints with
// [Printf] or [Println].
//
// What may take long takes a context first; [Context] is the one that ends when the cell is interrupted.
//
// Outside a notebook the same code prints plain text: tables aligned, a line for each
// picture. Nothing here waits for a user.
//
// Not here: drawing (package viz), learning (package bnkit).
package nb
