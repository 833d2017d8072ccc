package scale

import (
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// TestConfigRefused: nothing is drawn or measured for a configuration that makes no sense.
func TestConfigRefused(t *testing.T) {
	for _, rows := range [][]int{nil, {0, 10}, {20, 10}, {10, 10}} {
		if _, err := Compute(t.Context(), &run.Job{Seed: 1}, tiny(t, rows...), Memory{}); err == nil ||
			!strings.Contains(err.Error(), "makes no sense") {
			t.Errorf("rows %v: %v", rows, err)
		}
	}
}
