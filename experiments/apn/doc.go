// Package apn reproduces R95: adaptive probabilistic networks, whose parameters are learned by
// gradient ascent although some variables are never observed.
//
// R95 §7 measures how well a learned network predicts some observable variables, the
// outputs, from the others, the inputs, by the mean over inputs of the squared error of the
// outputs' probabilities. Its three experiments are here over many draws of the data:
//
//   - the 3-1-3 network of Figure 2 against the network without its hidden node and a neural
//     network (Figure 4);
//   - the car insurance network, 12 of whose 27 variables are hidden, against the same outputs
//     given all inputs ("12-3") and against learners without knowledge (Figure 6, footnote 4);
//   - a dynamic network with hidden state, sensors and rewards, with exact gradients and with
//     gradients by likelihood weighting (Figure 8), and against a hidden Markov model (§6).
//
// What R95 leaves to others is measured too: what the plain step of §4 costs beside conjugate gradients and EM,
// by the number of times that the cases are gone through; the slopes of the learning curves (§8: sample
// complexity); and classification, by the likelihood of an output given the rest (§8).
//
// Then EM, gradient ascent in two ways and Gibbs sampling stand side by side, with and without
// statements, for which the paper's conclusion asks; and a network with 200 findings, each a
// noisy-OR of hidden diseases, is learned from the parameters of the noisy-ORs (§6).
//
// What the paper leaves open is fixed here: the tables of the 3-1-3 networks are drawn
// uniformly; which insurance variables are hidden is inferred from their number; the dynamic
// network is ours, since the figure is lost; a neural network without hidden nodes, which
// predicts the proportions, is among those that cross-validation chooses from, and is not among those with
// weight decay.
//
// Deviation: gradient ascent is L-BFGS on soft-max coordinates, to its end. The curves that
// stop early are nearer to the paper's procedure: conjugate gradients, ended by cases held out,
// from one estimate to the next as cases come in. Where a table of the 12-3 network has no case,
// gradient ascent leaves its first, random row; here that row is uniform, which is closer to the
// truth on average, or has the proportions of the outputs.
package apn
