// Package bn represents Bayesian networks: variables, DAGs, conditional probability tables (CPTs)
// and linear-Gaussian nodes, with forward sampling, d-separation and interventions.
//
// A network is written as a model string, as in bnlearn, and its tables as text, one line for each
// parent configuration:
//
//	net, err := bn.New("[rain][sprinkler|rain][grass|sprinkler:rain]",
//		bn.Discrete("rain", "no", "yes"),
//		bn.Discrete("sprinkler", "off", "on"),
//		bn.Discrete("grass", "dry", "wet"))
//	...
//	err = net.SetTable("sprinkler", `
//		rain | off  on
//		no   | 0.6  0.4
//		yes  | 0.99 0.01`)
//
// [Variable], [DAG], [CPT] and [Network] are the main types. [Configs] is the only index of parent
// configurations, and [Layout] the only index of the parameters of a network: the first parent
// varies slowest, the last fastest, and the state of the child faster still. Code elsewhere names
// an index v for a variable, config for a parent configuration and state for a state.
//
// For independence, see [DAG.DSeparated], [DAG.MarkovBlanket], and [DAG.CPDAG] for the Markov
// equivalence class. If arcs are causal, [Network.Do] intervenes, and [DAG.AdjustmentSets],
// [DAG.FrontdoorSets] and [DAG.Identifiable] tell how an effect is identified from observed
// variables.
//
// Not here: data (package data), learning (package learn), inference.
package bn
