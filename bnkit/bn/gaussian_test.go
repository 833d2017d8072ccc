package bn_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

func ExampleLinearGaussian_String() {
	g, err := bn.NewLinearGaussian(bn.Continuous("DELL"), bn.Continuous("MSFT"), bn.Discrete("market", "up", "down"),
		bn.Continuous("INTL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	g.Intercept, g.Variance = []float64{0.3, -1}, []float64{0.04, 2}
	g.Weights = [][]float64{{0.9, -0.25}, {0, 1. / 3}}
	fmt.Println(g)
	// Output:
	// DELL = 0.3 + 0.9·MSFT − 0.25·INTL, sd 0.2 | market=up
	// DELL = -1 + 0·MSFT + 0.3333·INTL, sd 1.414 | market=down
}

// Printing takes whatever a program wrote to the fields.
func TestLinearGaussianString(t *testing.T) {
	g, err := bn.NewLinearGaussian(bn.Continuous("daily return"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.String(), `"daily return" = 0, sd 1`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g.Variance[0] = math.NaN()
	if got := g.String(); !strings.Contains(got, "the variance") {
		t.Errorf("a variance that is no number prints as %s", got)
	}
	g.Variance = nil
	if got := g.String(); !strings.Contains(got, "needs an intercept") {
		t.Errorf("no variance prints as %s", got)
	}
	if got := (&bn.LinearGaussian{}).String(); got == "" {
		t.Error("an empty one prints as nothing")
	}
}
