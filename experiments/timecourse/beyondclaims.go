package timecourse

import (
	"fmt"
	"slices"

	"bnlab/experiments/run"

	"gonum.org/v1/gonum/stat"
)

// values are a measure of a method by set, nil where it is not among those of the study.
func (v *venture) values(name string, f measure) []float64 {
	at := slices.IndexFunc(v.methods, func(m method) bool { return m.name == name })
	if at < 0 {
		return nil
	}
	return v.bySet(at, f)
}

// claims judges a study, set by set.
func (v *venture) claims(job *run.Job) {
	if v.name == synergyName {
		v.synergyClaims(job)
		return
	}
	what, why := "the truth", "correct constraints reduce variance without bias; a larger network has more that "+
		"they forbid"
	expected, kind := run.PredictYes, run.Simulated
	if v.name == censusName {
		what, why = "rows of others", "the signs are ours and general knowledge; whether they hold is not known"
		expected, kind = run.PredictUnknown, run.Real
	}
	statement := func(claim, unit, note string, expected run.Prediction) run.Statement {
		return run.Statement{Claim: v.name + ": " + claim, Source: "W00 §6, Table 1", Data: kind, Unit: unit,
			Prediction: expected, Basis: expected.From(run.Theory), Note: note}
	}
	for _, name := range []string{hybridA, hybridB, exactEM} {
		s := statement(fmt.Sprintf("%s comes closer to %s than em", name, what), "nats per test case", why, expected)
		if v.missing != nil {
			job.Missing(s, "closer", v.missing.Error())
			continue
		}
		em, tied := v.values(plainEM, excessTest), v.values(name, excessTest)
		s.Note = fmt.Sprintf("%.4g against %.4g; %s", stat.Mean(tied, nil), stat.Mean(em, nil), why)
		job.Compare(s, "closer", run.Comparison{Differences: less(em, tied)})
	}
	for _, one := range []struct {
		method, claim string
		expected      run.Prediction
		sign          float64
	}{
		{plainEM, "em violates the constraints substantially", run.PredictYes, -1},
		{hybridB, "em-w00-b's violations are essentially zero", run.PredictYes, 1},
	} {
		s := statement(one.claim, "violation, from a hundredth of the maximum on", "as in W00 §5.3", one.expected)
		if v.missing != nil {
			job.Missing(s, "", v.missing.Error())
			continue
		}
		broken, room := v.values(one.method, violation), []float64(nil)
		for _, x := range broken {
			room = append(room, one.sign*(v.limit()-x))
		}
		s.Note = fmt.Sprintf("mean %.3g, the limit being %.3g; %s", stat.Mean(broken, nil), v.limit(), s.Note)
		job.Compare(s, "", run.Comparison{Differences: room})
	}
}

// synergyClaims judges what synergies add to influences.
func (v *venture) synergyClaims(job *run.Job) {
	for _, one := range []struct {
		with, without, claim string
		expected             run.Prediction
		note                 string
	}{
		{softSynergy, softAlone, fmt.Sprintf("synergies at a price of %d nats bring the network closer to the truth "+
			"than "+
			"influences at that price", dear), run.PredictYes, "they hold in the truths, so they reduce variance " +
			"without " +
			"bias; but Load is hidden"},
		{exactSynergy, exactEM, "synergies that hold bring the network closer to the truth than influences that hold",
			run.PredictYes, "as above"},
		{softSynergy, exactSynergy, "a price is better than to make them hold", run.PredictUnknown,
			"from a random start hard statements leave fewer ways to a good maximum; soft ones forbid less"},
	} {
		a, b := v.values(one.with, excessTest), v.values(one.without, excessTest)
		job.Compare(run.Statement{Claim: v.name + ": " + one.claim, Source: "W00 §3.1, Table 1", Data: run.Simulated,
			Unit: "nats per test case", Prediction: one.expected, Basis: one.expected.From(run.Theory),
			Note: fmt.Sprintf("%.4g against %.4g; %d cases; %s", stat.Mean(a, nil), stat.Mean(b, nil), v.trainCases,
				one.note),
		}, "–", run.Comparison{Differences: less(b, a)})
	}
}

// beyondTable has a row for each study, method and set; excesses are over the truth, and of the census the values
// themselves.
func (r *Results) beyondTable() *run.Table {
	t := run.NewTable("study", "method", "cpt_set", "excess_test_nats", "excess_train_nats", "violation", "starts")
	for _, v := range r.Beyond {
		if v.missing != nil {
			continue
		}
		for m, one := range v.methods {
			test, train, broken := v.bySet(m, excessTest), v.bySet(m, excessTrain), v.bySet(m, violation)
			for set := range v.subjects {
				t.Append(v.name, one.name, set+1, test[set], train[set], broken[set], len(v.subjects[set].starts))
			}
		}
	}
	return t
}
