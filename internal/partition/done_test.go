package partition

import (
	"context"
	"testing"
)

// Sampling ends within a sweep of a done context.
func TestGibbsDone(t *testing.T) {
	counts := make([][]float64, 20)
	for i := range counts {
		counts[i] = []float64{float64(i), 3}
	}
	ctx, cancel := context.WithCancel(t.Context())
	if Of(ctx, Rows{Alpha: 1}, counts, false, 1) == nil {
		t.Fatal("no average of 20 rows")
	}
	cancel()
	if Of(ctx, Rows{Alpha: 1}, counts, false, 1) != nil {
		t.Error("a done context was not looked at")
	}
}
