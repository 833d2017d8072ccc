package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Models that are general parameter sharing (N06 §4.3, after type 14), a line each.
func Example_models() {
	// A hidden Markov model of three steps: one transition table, one emission table.
	transitions := constraint.ShareTables{Vars: []string{"H2", "H3"}}
	emissions := constraint.ShareTables{Vars: []string{"O1", "O2", "O3"}}

	// A dynamic network, unrolled: every slice's variable has the table of the slice before.
	slices := constraint.ShareTables{Vars: []string{"rain1", "rain2", "rain3"}}

	// A module network: the genes of a module depend on their regulators in one way.
	module := constraint.ShareTables{Vars: []string{"gene1", "gene2", "gene3"}}

	// Context-specific independence: with the alarm off, nothing else matters.
	context := constraint.ShareAcross{Var: "call", Given: []bn.Given{{"alarm": "off"}}}

	for _, s := range []constraint.Constraint{transitions, emissions, slices, module, context} {
		fmt.Println(s)
	}

	// What the hidden Markov model learns from two steps is the pooled table.
	state, symbol := []string{"dry", "wet"}, []string{"0", "1"}
	net, err := bn.New("[H1][H2|H1][H3|H2][O1|H1][O2|H2][O3|H3]",
		bn.Discrete("H1", state...), bn.Discrete("H2", state...), bn.Discrete("H3", state...),
		bn.Discrete("O1", symbol...), bn.Discrete("O2", symbol...), bn.Discrete("O3", symbol...))
	if err != nil {
		fmt.Println(err)
		return
	}
	problem, err := constraint.Compile(net, transitions, emissions)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := []float64{6, 4 /* H1 */, 5, 1, 2, 2 /* H2 */, 4, 3, 1, 2 /* H3 */, 5, 1, 0, 4 /* O1 */, 6, 1, 1,
		2 /* O2 */, 4, 1, 0, 5 /* O3 */}
	theta := make([]float64, len(counts))
	if err := problem.Maximize(theta, counts); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("transitions %.3f, again %.3f\nemissions %.3f\n", theta[2:6], theta[6:10], theta[10:14])
	// Output:
	// H2 and H3 have the same table
	// O1, O2 and O3 have the same table
	// rain1, rain2 and rain3 have the same table
	// gene1, gene2 and gene3 have the same table
	// the distribution of call is the same wherever alarm=off, whatever the other parents
	// transitions [0.692 0.308 0.429 0.571], again [0.692 0.308 0.429 0.571]
	// emissions [0.833 0.167 0.083 0.917]
}
