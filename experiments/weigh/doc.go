// Package weigh is the experiment on knowledge that may be wrong: statements weighed by their strengths and the data
// instead of believed (learn.Averaged), sharing averaged instead of picked (learn.AveragedSharing), words of the
// audit, and questions to an expert in the order of what their answers are worth.
//
// No paper has it. N06 §3.2 and §7 and the last section of Y13 ask for it.
//
// The truths are noisy-OR models of four causes, known as four influences and a sub-synergy, of which none, one or two
// have the wrong sign; and the eleven domains of Y13 with their knowledge files, but for the noisy-OR, which has no
// density. Learners see the same cases and are compared in pairs: none, all believed, averaged, the worst dropped that
// the audit contradicts, and all at a price. All have the uniform prior of each table. Predictions were set before the
// first run, from a prototype; see docs/predictions.md.
package weigh
