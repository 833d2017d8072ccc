package constraint

import "bnlab/bnkit/bn"

// A Cell names one parameter, P(Var=State | Given). A Given that leaves parents open
// stands for every parent configuration that matches.
type Cell struct {
	Var   string
	State string
	Given bn.Given `json:",omitempty"`
}

// An Event names the probability that a variable has one of some states in a parent
// configuration, P(Var in States | Given). A Given that leaves parents open stands for
// every parent configuration that matches, each with an event of its own.
type Event struct {
	Var    string
	States []string
	Given  bn.Given `json:",omitempty"`
}
