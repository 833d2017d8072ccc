// Package genie reads and writes Bayesian networks in XDSL, the XML format of GeNIe and SMILE.
//
//	<smile version="1.0" id="Network1" numsamples="1000">
//	<nodes>
//	  <cpt id="light"><state id="on"/><state id="off"/>
//	    <parents>out</parents><probabilities>0.6 0.4 0.05 0.95</probabilities></cpt>
//	  <noisymax id="fever"><state id="yes"/><state id="no"/>
//	    <parents>flu cold</parents><strengths>0 1 0 1</strengths>
//	    <parameters>0.8 0.2 0 1  0.4 0.6 0 1  0.01 0.99</parameters></noisymax>
//	</nodes>
//	<extensions><genie version="1.0" name="Winter">
//	  <node id="light"><name>Light is on</name><position>60 30 140 70</position></node>
//	</genie></extensions>
//	</smile>
//
// In probabilities the state of the child varies fastest, the first parent slowest. A
// noisymax node lists for each parent its states from the strongest to the one without effect
// (strengths), and the distribution of the child when only this parent acts, in the same
// order, the leak last (parameters); see [netdoc.NoisyMAX]. It is kept as such, beside its table.
// A continuous variable whose parents are continuous too is an equation node,
// y=0.3+0.9*x+Normal(0,0.2), the last number being the standard deviation.
//
// Parents stand above their children, as SMILE wants. The genie block lists the nodes in the
// order of the variables, which Parse follows, and gives each a place: a node without one
// is placed in layers.
//
// Deviation: names are identifiers; others are written as netdoc.Encode does and read back.
// The standard deviation of an equation is rounded, so its variance is the same to 1e-15 only.
//
// Not here: decisions, dynamic networks, other equations, DeMorgan and noisy-adder nodes
// (refused); utilities (left out, which is said); colours, fonts, costs.
package genie
