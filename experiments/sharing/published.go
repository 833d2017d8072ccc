package sharing

// row is a row of N06 Table 1.
type row struct {
	examples   int
	kl         float64 // KL(T, PDKBN), nats
	equivalent int     // examples needed by STBN
	more       bool    // the paper prints "> equivalent"
}

// table1 is N06 Table 1 (§5.1.2).
var table1 = []row{
	{5, 0.191, 16, false},
	{40, 0.094, 103, false},
	{200, 0.034, 516, false},
	{600, 0.018, 905, false},
	{650, 0.017, 1000, true},
}

// Numbers of N06 §5.1.2.
const (
	largestGap     = 0.05 // highest observed KL(T, STBN) − KL(T, PDKBN)
	largestGapAt   = 30   // examples at which it was observed
	largestFactor  = 3.2  // 16 examples for 5, "the maximum observed"
	averageFactor  = 1.86 // "on average, STBN needs 1.86 times more examples"
	scarceExamples = 100  // ours: "most sparse" taken as at most two examples a state
)
