package guarantees

import (
	"fmt"

	"bnlab/experiments/run"
)

// An extreme counts what rises, and keeps the largest rise.
type extreme struct {
	rise, of int
	largest  float64
	where    string
}

func (x *extreme) add(value, limit float64, where func() string) {
	x.of++
	if value > limit {
		x.rise++
	}
	if value > x.largest {
		x.largest, x.where = value, where()
	}
}

// exactClaims judges what enumeration says. Numbers within 1e-9 of each other are equal.
func (r *Results) exactClaims(job *run.Job) {
	const source, equal = "N06 §6 and §7, conjecture", 1e-9
	list := scenes()
	var tiedBias, tiedVariance, bias, variance, total extreme
	at := 0
	for i, e := range r.Exact {
		s := list[e.scene]
		if s.tied == nil {
			continue
		}
		where := func() string {
			return fmt.Sprintf("%s of P = %s under type %d, %d examples: bias %+.3g %%, variance %.3g, by ML %.3g",
				s.entries(e.entries), s.name(), s.number, e.examples, 100*e.bias/e.truth, e.variance, e.varianceML)
		}
		relative := max(e.bias, -e.bias) / e.truth
		change := e.variance/e.varianceML - 1
		if e.block {
			tiedBias.add(relative, equal, where)
			tiedVariance.add(change, equal, where)
			continue
		}
		bias.add(relative, equal, where)
		variance.add(change, equal, where)
		if i == 0 || r.Exact[i-1].scene != e.scene || r.Exact[i-1].examples != e.examples {
			at = i
		}
		if i+1 < len(r.Exact) && r.Exact[i+1].block {
			ml, tied := 0.0, 0.0
			for _, one := range r.Exact[at : i+1] {
				ml, tied = ml+one.varianceML, tied+one.meanSquare
			}
			total.add(tied/ml-1, equal, where)
		}
	}
	job.Order(run.Statement{
		Claim:  "what a correct equality ties is unbiased and no more variable, exactly (types 1 to 9)",
		Source: source, Kind: run.Theorem, Data: run.Simulated, Unit: "sums", Prediction: run.PredictYes,
		Basis: run.Theory,
		Note: "tied are the masses of blocks (types 1, 4, 6, 7, 8) and each entry (types 2, 3, 5, 9). A mass is " +
			"fixed, or an average of frequencies; an entry of a ratio is its block's frequency times a ratio " +
			"from more cases",
	}, "all", fmt.Sprintf("%d of %d biased, %d of %d more variable", tiedBias.rise, tiedBias.of, tiedVariance.rise,
		tiedVariance.of), tiedBias.rise+tiedVariance.rise == 0)
	job.Order(run.Statement{
		Claim:  "a correct equality raises no single parameter's variance (Theorem 2, read for all types)",
		Source: source, Data: run.Simulated, Unit: "parameters", Prediction: run.PredictNo, Basis: run.Theory,
		Note: "exact. The share of a rare state inside a block whose mass is known comes from the block's few " +
			"cases, and a block without a case is shared out evenly. Largest: " + variance.where,
	}, "none", fmt.Sprintf("%d of %d rise", variance.rise, variance.of), variance.rise == 0)
	job.Order(run.Statement{
		Claim:  "estimates under a correct equality are unbiased",
		Source: source, Data: run.Simulated, Unit: "parameters", Prediction: run.PredictNo, Basis: run.Theory,
		Note: "exact. A block with mass and without a case is shared out evenly, so its rare states are too " +
			"probable. Largest: " + bias.where,
	}, "none biased", fmt.Sprintf("%d of %d are biased", bias.rise, bias.of), bias.rise == 0)
	job.Order(run.Statement{
		Claim:  "a correct equality raises no distribution's summed mean squared error",
		Source: source, Data: run.Simulated, Unit: "truths and sizes", Prediction: run.PredictUnknown,
		Note: "exact; over all entries of the distributions, so that a bias counts too",
	}, "none", fmt.Sprintf("%d of %d rise", total.rise, total.of), total.rise == 0)
}
