package verdict

import (
	"strings"

	"bnlab/internal/english"
)

// Limits of verdicts, in adjusted p-values and log Bayes factors. Three is "strong" in the scale of
// Kass and Raftery (1995): odds of 20.
const (
	doubtful     = 0.05
	contradicted = 0.001
	strong       = 3
)

// Words of verdicts; those against a statement go on with [Facts.rejected].
const (
	Contradicted = "the data contradict it"
	Against      = "the data speak against it"
	Doubtful     = "doubtful"
	Holds        = "holds in the data already"
	Supported    = "the data support it"
	Compatible   = "compatible with the data"
	CannotMatter = "cannot matter: it follows from the other statements"
	NoCases      = "not tested: no case speaks of it"
	SameCases    = "not tested: these cases suggested it; test it on others (HeldOut), or weigh it by AveragedSharing"
)

// Facts are what is known of a statement.
type Facts struct {
	P                       float64 // adjusted
	HasP                    bool
	LogBayesFactor          float64
	HasBayesFactor          bool
	HasInequalities, IsFree bool     // IsFree: it costs nothing
	Contexts                []string // those that speak against it, in order
	HasSeveral              bool     // it speaks of several contexts
	IsOppositeOpen          bool     // it has several inequalities, of which some may hold
}

// Words says what the facts are worth. A Bayes factor alone never speaks against a statement whose p-value is nothing
// unusual: on the boundary of many inequalities, where a true statement may lie, it is often below any limit by chance.
func (f Facts) Words() string {
	switch {
	case f.HasP && f.P < contradicted:
		return Contradicted + f.rejected()
	case f.HasBayesFactor && f.LogBayesFactor < -strong && !(f.HasP && f.P >= doubtful):
		return Against + f.rejected()
	case f.HasP && f.P < doubtful:
		return Doubtful
	case f.HasInequalities && f.IsFree:
		return Holds
	case f.HasBayesFactor && f.LogBayesFactor > strong:
		return Supported
	}
	return Compatible
}

// IsFine reports that an adjusted p-value is nothing unusual.
func IsFine(p float64) bool { return p >= doubtful }

// named is the number of contexts that are named.
const named = 3

// rejected says what it does not mean that a statement is rejected: not that it is wrong in each context, nor that its
// opposite holds.
func (f Facts) rejected() string {
	says := ""
	if f.HasSeveral {
		in := ""
		if n := len(f.Contexts); n > named {
			in = " (against it: " + strings.Join(f.Contexts[:named], "; ") + "; " +
				english.Count(n-named, "further context") + ")"
		} else if n > 0 {
			in = " (against it: " + strings.Join(f.Contexts, "; ") + ")"
		}
		says = ": it does not hold in every context" + in
	}
	if f.IsOppositeOpen {
		says += "; this does not say that its opposite holds"
	}
	return says
}
