package structure

// A Missing policy says what a family's score does with rows in which a member is missing. A child
// and parents that no row has values of together score −∞, whatever the policy: no row would count
// against them, and a search would join what was never seen together.
type Missing int

const (
	// RefuseMissing makes a missing cell an error.
	RefuseMissing Missing = iota
	// CompleteCases scores a family from the rows in which no member is missing. Families are then
	// scored from different rows, so that a family with many missing cells has a score too near to 0,
	// and is favoured.
	CompleteCases
	// NodeAverage scores a family by the mean log-likelihood of the rows in which no member is
	// missing, times the weight of all rows; penalties are for all rows (Balov 2013; Bodewes and
	// Scutari 2021, §3). It needs cells to be missing at random without regard to the values.
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
