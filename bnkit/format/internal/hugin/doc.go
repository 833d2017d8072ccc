// Package hugin reads and writes Bayesian networks in the NET language of Hugin, as the
// Hugin tools, bnlearn, pgmpy, SamIam and aGrUM write it, plain or inside one class (.oobn).
//
//	net { node_size = (80 40); }
//	node light {
//	  label = "Light is on"; position = (73 165);
//	  states = ("on" "off");
//	}
//	...
//	potential (light | out) {
//	  data = ((0.6 0.4)     % out = yes
//	          (0.05 0.95)); % out = no
//	}
//	continuous node bill { }
//	potential (bill | light hours) {
//	  data = (normal (3 + 0.5 * hours, 0.04)  % light = on
//	          normal (1, 0.01));
//	}
//
// In data the state of the child varies fastest, the first parent slowest; a normal
// distribution stands for each configuration of the discrete parents, with mean and variance.
// Names of nodes are identifiers, names of states any text; states without one are called by
// their state_values, or state1, state2 and so on. Data of ones only is none.
//
// Deviation: a name that is no identifier is written as netdoc.Encode does and read back.
// Parentheses inside data are not counted against the family, only the numbers are.
//
// Not here: decisions, instances of other classes and tables that are given by an expression
// only (refused); utilities and function nodes (left out, which is said); counts of
// experience and what else does not belong to the network.
package hugin
