// Package elimination orders and carries out the elimination of variables: the interaction graph
// with its greedy orders (weighted min-fill), and sums of products of factors. Package infer
// builds on it what serves many cases at once.
package elimination
