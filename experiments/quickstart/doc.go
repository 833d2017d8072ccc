// Package quickstart is the experiment behind the first notebook: what an expert's knowledge is
// worth on a real data set, breast cancer recurrence, when there are few cases to learn from, and
// which of the statements the data speak against.
//
// The knowledge is the file of Y13's breast cancer domain (five influences, a synergy and a
// sub-synergy on the recurrence). Networks are fitted to 20 to 160 cases drawn at random, without
// and with it, and predict the others; the score is the log probability that they give to what
// happened. The share of recurrences among the training cases is scored too, since a network that
// cannot beat it has learned nothing. No figure of the paper is reproduced here: see noisyor.
package quickstart
