// Package bn holds Bayesian networks: variables, the graph, conditional
// probability tables and linear-Gaussian nodes, and forward sampling.
//
// A network is written as bnlearn users write it, by a model string, and its
// tables are typed as text, one line for each parent configuration:
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
// [Variable], [DAG], [CPT] and [Network] are the main types. [Configs] is the
// only place where a parent configuration becomes a number, and [Layout] the
// only place where a parameter of a network does: the first parent varies
// slowest, the last fastest, and the state of the child faster still. Code
// elsewhere names an index v for a variable, config for a parent
// configuration and state for a state.
//
// A graph answers what it says of independence: [DAG.DSeparated], [DAG.MarkovBlanket], and
// [DAG.CPDAG], the class of graphs that say the same. Where arcs mean causes, [Network.Do] intervenes, and
// [DAG.AdjustmentSets], [DAG.FrontdoorSets] and [DAG.Identifiable] say how an effect can be had from what
// is observed.
//
// Not here: data (package data), learning (package learn), inference.
package bn
