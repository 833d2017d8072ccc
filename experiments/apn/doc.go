// Package apn reproduces R95 §7: adaptive probabilistic networks, whose tables are learned by
// gradient ascent although some variables are never observed.
package apn
