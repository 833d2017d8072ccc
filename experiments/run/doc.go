// Package run is the contract between an experiment, the runner
// (go run ./experiments) and the notebooks.
//
// An [Experiment] computes, writes tables and figures through its [Job], and
// records each sentence or number of the paper that can be checked as a
// [Claim]. The rules by which a claim holds are here, once, so that no
// experiment judges itself:
//
//	func (Experiment) Run(ctx context.Context, job *run.Job) error {
//		gaps := make([]float64, 100)
//		err := job.Replicates(ctx, "simulate", len(gaps), func(replicate int, src *rand.PCG) error {
//			gaps[replicate] = simulate(src)
//			return nil
//		})
//		...
//		job.Number(run.Statement{Claim: "largest gap", Source: "N06 §5.1.2", Data: run.Simulated,
//			Unit: "nats", Prediction: run.PredictYes, Basis: run.Theory, Note: "why"}, 0.05, band.Mean, band)
//		return job.SaveTable("n06-gap.csv", table)
//	}
//
// [Execute] runs one experiment and puts its results into DIR/id as a whole or
// not at all, [ExecuteSeeds] with several seeds, to see which verdicts change. [Notebook] is the one
// call of a notebook cell: it finds the
// results on disk when the same configuration has run with the same code, and
// computes them when not. [WriteReport] says what came out, what did not and what cannot
// be told, in all results in DIR.
//
// Result files depend on the profile and the seed only: not on the number of
// workers, not on the time. What differs from run to run is run.json, which records
// both, and columns that hold measured times and memory, which say so in their names.
//
// Not here: the experiments, and what they have in common beyond this contract.
package run
