// Package cores solves what presolve leaves of the estimation of linked distributions:
// maximise Σ n log x over a few nodes under relations that link them all. [New] chooses the
// strongest method that applies: two nodes by clipping, limits on nested sets by
// water-filling, orders by isotonic regression, stochastic orders by Newton's method in
// blocks, equalities by the dual Newton method and other inequalities by an interior-point
// method; [NewCurved] and [NewFactored] are for functions and for noisy-OR. A core also
// integrates, draws and averages Dirichlet densities, in closed form where it can.
package cores
