package structure

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/logs"
)

// A Score rates one family from its counts, as a natural logarithm; larger is better. The score
// of a graph is the sum over its families. String names the score with its settings.
type Score interface {
	Family(c *Counts) float64
	String() string
}

// A binder is a Score that has to be checked or prepared for the variables at hand. Bind is
// called once, before anything is counted, and what it returns scores the families.
type binder interface {
	Bind(vars []bn.Variable) (Score, error)
}

// A classScore is a Score that compares the cases with those of another class. Families are
// then counted in both, and [Counts] hold Other.
type classScore interface {
	OtherClass() data.Source
}

// A fallibleScore is a Score that can fail for a family. The scorer calls TryFamily in the place of Family.
type fallibleScore interface {
	TryFamily(c *Counts) (float64, error)
}

// Counts are the sufficient statistics of one family.
type Counts struct {
	Child   bn.Variable
	Parents []bn.Variable // in the order of the source's variables
	// N[config×R+state] is the weight of the rows in one parent configuration and child
	// state; the first parent varies slowest, as in [bn.Configs].
	N    []float64
	R, Q int     // states of the child, parent configurations
	Rows float64 // weight of the rows counted: those in which no member is missing
	// Scale multiplies the log-likelihood: 1, or under [NodeAverage] the weight of all rows of
	// the source over Rows.
	Scale float64
	// Other are the counts of the same family in the other class, numbered like N, and
	// OtherRows their sum; nil and 0 but for a [classScore].
	Other     []float64
	OtherRows float64

	logs *logs.Tables // nil when counts need not be whole numbers
}

// A FamilyPrior is a term of the log prior of a structure for each family, by names of the
// variables. It is added to the family's score.
type FamilyPrior interface {
	LogPrior(child string, parents []string) float64
	String() string
}

// A GraphPrior is a prior of a whole structure that depends on a sum over its families, such as
// the number of arcs that break a rule (B06 §2.2):
//
//	log P(G) = LogPrior(Σ_child Violations(child, parents))
type GraphPrior interface {
	Violations(child string, parents []string) float64
	LogPrior(violations float64) float64
	String() string
}

// A Missing policy is the treatment, by a family's score, of rows in which a member is missing. A family
// of which no row is complete scores −∞ under any policy: no row would count against it, and a search
// would join variables never observed together.
type Missing int

const (
	// RefuseMissing makes a missing cell an error.
	RefuseMissing Missing = iota
	// CompleteCases scores a family from the rows in which no member is missing. Families are then
	// scored from different rows: a family with many missing cells has a score too close to 0 and is
	// favoured.
	CompleteCases
	// NodeAverage scores a family by the mean log-likelihood of the rows in which no member is
	// missing, times the weight of all rows; penalties are for all rows (Balov 2013; Bodewes and
	// Scutari 2021, §3). Rows in which the child was set by intervention are no rows of its family. Cells must be
	// missing completely at random.
	NodeAverage
)

// String names the policy.
func (m Missing) String() string {
	switch m {
	case RefuseMissing:
		return "missing cells are refused"
	case CompleteCases:
		return "each family from the rows complete in it"
	case NodeAverage:
		return "mean log-likelihood of each family's complete rows, times all rows"
	}
	return "unknown policy for missing cells"
}
