package cholesky_test

import (
	"testing"

	"bnlab/internal/cholesky"
	"bnlab/internal/numtest"
)

// (4 2; 2 3) x = (2, 1) has x = (½, 0); a direction without curvature does not move; what curves the other way is
// refused.
func TestSolve(t *testing.T) {
	b := []float64{2, 1}
	if !cholesky.Solve([]float64{4, 0, 2, 3}, b, 2, 0, 1) {
		t.Fatal("a positive matrix is refused")
	}
	numtest.Close(t, b[0], 0.5, 1e-15, 0)
	numtest.Close(t, b[1], 0, 1e-15, 0)
	flat := []float64{2, 2}
	if !cholesky.Solve([]float64{1, 0, 1, 1}, flat, 2, 0, 1) || flat[1] != 0 {
		t.Errorf("a singular matrix: %v", flat)
	}
	if cholesky.Solve([]float64{1, 0, 2, 1}, []float64{1, 1}, 2, 0, 1) {
		t.Error("an indefinite matrix is taken")
	}
}
