// Package quickstart is the experiment behind the first notebook: what a little
// knowledge is worth on a real data set, breast cancer recurrence, when there are few
// cases to learn from.
//
// The complete cases are shuffled many times. Each time the last ones are held out, and
// a network is fitted to the first 30, 60 and 120 of the others, with and without the
// statements of [Knowledge]; the score is the log probability that it gives to what
// happened to the held-out patients. The share of recurrences in the training cases is
// scored too, since a network that cannot beat it has learned nothing. No paper is reproduced here; structure and
// statements were fixed before the first run.
package quickstart
