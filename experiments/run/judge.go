package run

import (
	"fmt"
	"math"
	"strings"
)

// Order records an ordering, such as "A is below B at each size". The caller
// judges it on the mean curve; paper and ours say in words or numbers what was
// compared. Orderings are judged in both profiles.
func (j *Job) Order(s Statement, paper, ours string, holds bool) {
	j.claim(Claim{Statement: s, Paper: paper, Ours: ours, Holds: verdict(holds)})
}

// Number records a published number, which holds when it lies in the 5 to 95 %
// band of ours over replicates, each of which is what the paper measured: a bar of one test set is judged by the
// spread of single splits, not of means over folds. It is not judged in the quick profile. The
// value shown as ours is the band's mean or median, as the caller chooses.
func (j *Job) Number(s Statement, published, ours float64, band Band) {
	j.number(Claim{Statement: s, Paper: Format(published), Ours: Format(ours), P05: Format(band.P05),
		P95:   Format(band.P95),
		Holds: verdict(band.Contains(published))})
}

// NumberAbove records a published lower bound, such as "more than 1,000", which
// holds when values above it are within the 5 to 95 % band of ours. It is not
// judged in the quick profile.
func (j *Job) NumberAbove(s Statement, bound, ours float64, band Band) {
	j.number(Claim{Statement: s, Paper: ">" + Format(bound), Ours: Format(ours), P05: Format(band.P05),
		P95:   Format(band.P95),
		Holds: verdict(band.P95 > bound)})
}

// NumberNear records a published number, which holds when it lies within two
// standard errors of ours. It is not judged in the quick profile. It is for
// numbers that have a standard error but no replicates of the paper's kind; the
// note gives the standard error.
func (j *Job) NumberNear(s Statement, published, ours, stderr float64) {
	s.Note = join(s.Note, fmt.Sprintf("standard error %.3g", stderr))
	j.number(Claim{Statement: s, Paper: Format(published), Ours: Format(ours),
		Holds: verdict(math.Abs(published-ours) <= 2*stderr)})
}

// Missing records a claim that cannot be judged, and why.
func (j *Job) Missing(s Statement, paper, why string) {
	s.Note = join(s.Note, why)
	j.claim(Claim{Statement: s, Paper: paper, Holds: NotJudged})
}

func (j *Job) number(c Claim) {
	if j.Profile == Quick || j.Profile == Own {
		c.Holds, c.Note = NotJudged, join(c.Note, "judged in the paper profile")
	}
	j.claim(c)
}

func (j *Job) claim(c Claim) {
	if c.Data == StandIn {
		c.Holds, c.Note = NotJudged, join(c.Note, "stand-in data: shown, not judged")
	}
	c.Statement = c.complete()
	if err := c.validate(); err != nil {
		j.misuse(err)
	}
	if c.Measured {
		j.measure(claimsFile, c.Claim)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.claims = append(j.claims, c)
}

// misuse keeps the first error of an experiment that records claims wrongly.
func (j *Job) misuse(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = err
	}
}

func verdict(holds bool) Verdict {
	if holds {
		return Yes
	}
	return No
}

func join(notes ...string) string {
	var given []string
	for _, n := range notes {
		if n != "" {
			given = append(given, n)
		}
	}
	return strings.Join(given, "; ")
}
