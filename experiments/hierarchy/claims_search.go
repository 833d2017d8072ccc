package hierarchy

import (
	"fmt"

	"bnlab/bnkit/structure/hierarchy"
	"bnlab/experiments/run"
)

// searchClaims are about the searches themselves.
func (j judge) searchClaims() {
	relaxed, narrow := 0, 0
	for v := range j.example.truth {
		relaxed += len(j.example.hierarchy.Legal(hierarchy.FamilyWise{Relaxed: true, SameLevel: true},
			hierarchy.Links(j.example.found[j.rfw]), v))
		narrow += len(j.example.hierarchy.Legal(hierarchy.ParentWise{}, hierarchy.Links(j.example.found[j.pw]), v))
	}
	n := float64(len(j.example.truth))
	j.order("the relaxed family-wise rule does not limit candidate parents as effectively as the parent-wise",
		partSearch, run.PredictUnknown,
		"a conclusion of §4.1; it depends on the number of superfluous links, and quick runs went the other way; "+
			"candidates per child given the network found in the example",
		"more candidates", fmt.Sprintf("%.3g candidates against %.3g", float64(relaxed)/n, float64(narrow)/n),
		relaxed > narrow)

	for _, dataset := range []struct {
		name string
		kind run.Data
	}{{simulatedName, run.Simulated}, {datasetName, run.Real}} {
		for _, k := range []int{j.rfw, j.pw} {
			j.longerClaims(dataset.name, dataset.kind, k)
		}
	}
}

// longerClaims ask whether a search runs longer than flat search, by what it has to score and by the clock.
func (j judge) longerClaims(dataset string, kind run.Data, k int) {
	state := func(by, note string) run.Statement {
		s := run.Statement{Claim: fmt.Sprintf("%s runs longer than flat search (%s), by %s", titles[j.Searches[k]],
			dataset, by), Source: partSearch, Data: kind, Prediction: run.PredictUnknown,
			Note: "the paper says typically; " + note}
		if kind == run.Real {
			s.Note = join(s.Note, notTheirs)
		}
		return s
	}
	families := state("families scored", "under bde, which does not vary between runs")
	seconds := state("time", "under bde, on one goroutine, counting included; it is that of these implementations, on "+
		"the machine of the run")
	seconds.Unit, seconds.Measured = "seconds, as the logarithm of their ratio", true
	own, ok := j.timeOf(dataset, k)
	base, both := j.timeOf(dataset, j.flat)
	if !ok || !both {
		j.job.Missing(families, "longer", withoutFiles)
		j.job.Missing(seconds, "longer", withoutFiles)
		return
	}
	j.job.Order(families, "longer", fmt.Sprintf("%d families, flat %d", own.Scored, base.Scored),
		own.Scored > base.Scored)
	j.job.Compare(seconds, "longer", run.Comparison{Differences: longer(own, base)})
}
