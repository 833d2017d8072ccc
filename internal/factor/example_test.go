package factor_test

import (
	"fmt"

	"bnlab/internal/factor"
)

// A cause has prior probability 0.1 and shows itself with probability 0.9, a healthy
// case does with 0.2. Variable 0 is the cause, variable 1 the sign.
func ExampleProduct() {
	cause := factor.New([]int{0}, []int{2})
	copy(cause.Values, []float64{0.9, 0.1})
	sign := factor.New([]int{0, 1}, []int{2, 2})
	copy(sign.Values, []float64{0.8, 0.2, 0.1, 0.9})

	joint := factor.Product(nil, cause, sign)
	seen := factor.Slice(nil, joint, []int{1}, []int{1})
	fmt.Printf("P(cause, sign seen) = %.2f, P(sign) = %.2f\n", seen.Values, factor.SumOut(nil, joint, 0).Values)
	fmt.Printf("P(cause | sign seen) = %.3f\n", seen.At(1)/seen.Sum())
	// Output:
	// P(cause, sign seen) = [0.18 0.09], P(sign) = [0.73 0.27]
	// P(cause | sign seen) = 0.333
}
