// Package baseline holds the predictors that R95 §7 compares its networks with. They know
// nothing of the domain: a layered neural network, decision trees, nearest neighbours, a
// table of all joint input states, and the proportions of the outputs. Each learns from [Rows]
// the distribution of every output given the inputs.
//
//	train := rows.Cases(nil)
//	net, err := baseline.TrainNeural(train, 4, 0, src)
//	...
//	net.Predict(dst, x)
//
// The paper says little of how these were trained; what is chosen here stands with each type.
package baseline
