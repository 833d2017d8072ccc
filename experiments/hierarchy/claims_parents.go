package hierarchy

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// parentClaims are about the numbers of parents by which arity and length were chosen: that one setting has
// both could have come out otherwise, the first of them alone could not.
func (j judge) parentClaims(p *Panel) {
	at := slices.Index(p.X, j.Config.Change)
	if at < 0 {
		at = len(p.X) - 1
	}
	note := fmt.Sprintf("arity %d and %d images were chosen from the grid of b06-sensitivity.csv by this number and "+
		"the other together; the band is of single networks", j.Config.Arity, j.Config.Length)
	for _, one := range []struct {
		claim     string
		search    int
		published float64
	}{
		{"approximately one parent was added per child in the flat search", j.flat, flatParents},
		{"approximately 0.3 parents were added per child in the parent-wise search", j.pw, pwParents},
	} {
		found := values(p.Outcomes[at][one.search], parentsOf)
		j.job.Number(run.Statement{Claim: one.claim, Source: partIID, Data: run.Simulated, Unit: "parents a child",
			Prediction: run.PredictUnknown, Note: note}, one.published, stat.Mean(found, nil), run.NewBand(found))
	}
}

// room is what can be seen of accuracies at the fixed c: how far above chance the true links come when only
// the tables are learned. Where that is below the difference that the runs could show, nothing can be told.
func (j judge) room() float64 {
	at := slices.Index(j.panels[iid].X, j.Config.Change)
	if at < 0 {
		at = len(j.panels[iid].X) - 1
	}
	best, _ := meanError(ofKnown(j.Known[parentWise][at], 1))
	return best - 0.5
}

// powerless says why the accuracies of a panel cannot be judged, "" when they can.
func (j judge) powerless(p *Panel) string {
	seen := run.Comparison{Differences: p.differences(0, j.pw, j.flat, accuracyOf)}.Detectable()
	if j.room() >= seen {
		return ""
	}
	return fmt.Sprintf("at this c the true links with learned tables are right in %.3f of the cases, and differences "+
		"from %.3f could be seen", 0.5+j.room(), seen)
}

// accuracyOrder records an ordering of accuracies of a panel, n/a where nothing can be told.
func (j judge) accuracyOrder(p *Panel, claim, source, note, paper, ours string, holds bool) {
	if why := j.powerless(p); why != "" {
		j.job.Missing(statement(claim, source, run.PredictUnknown, note), paper, why)
		return
	}
	j.order(claim, source, run.PredictUnknown, note, paper, ours, holds)
}
