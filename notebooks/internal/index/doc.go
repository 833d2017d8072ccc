// Index writes what would go stale by hand: the contents at the top of each notebook, the table of notebooks in
// README.md and notebooks/README.md, with how many findings came out, and the small pictures in docs/thumbnails. It
// checks that each notebook has a cell to be changed ("**Try this.**" above a code cell) and names the one to read next
// ("Next: [01-sharing](01-sharing.ipynb)" in its last cell), and that links between notebooks lead somewhere.
//
//	go run ./notebooks/internal/index           # says what is stale, and fails
//	go run ./notebooks/internal/index -update   # writes it anew
package main
