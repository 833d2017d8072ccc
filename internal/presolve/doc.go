// Package presolve reduces the estimation of linked distributions, maximise Σ n log x under
// linear relations and equal proportions, before any data are seen, as a linear program is
// presolved. It knows nothing of networks or statements: nodes are numbers. Each rule takes
// some nodes out and leaves a [Step], which runs forward on counts and exponents and
// backward on values, draws and expectations; the relations that no rule can take out fall
// into components, the cores that are left to solve.
package presolve
