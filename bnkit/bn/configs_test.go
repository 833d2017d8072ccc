package bn

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestConfigsOrder(t *testing.T) {
	c, err := NewConfigs(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	// The first parent varies slowest, the last fastest.
	want := [][]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}
	if c.Len() != len(want) {
		t.Fatalf("Len() = %d, want %d", c.Len(), len(want))
	}
	for config, states := range want {
		if got := c.States(nil, config); !slices.Equal(got, states) {
			t.Errorf("States(%d) = %v, want %v", config, got, states)
		}
		if got := c.Index(states); got != config {
			t.Errorf("Index(%v) = %d, want %d", states, got, config)
		}
	}
	if c.Parents() != 2 || c.Card(0) != 2 || c.Card(1) != 3 || c.Stride(0) != 3 || c.Stride(1) != 1 {
		t.Errorf("%d parents, cardinalities %d, %d, strides %d, %d; want 2, 2, 3, 3, 1", c.Parents(), c.Card(0),
			c.Card(1), c.Stride(0), c.Stride(1))
	}
}

func TestConfigsWithoutParents(t *testing.T) {
	made, err := NewConfigs()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Configs{"zero value": {}, "NewConfigs()": made} {
		if c.Len() != 1 || c.Parents() != 0 || c.Index(nil) != 0 || len(c.States(nil, 0)) != 0 {
			t.Errorf("%s: Len() = %d, Parents() = %d, Index(nil) = %d, States(0) = %v", name, c.Len(), c.Parents(),
				c.Index(nil), c.States(nil, 0))
		}
	}
}

func TestConfigsBijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.SliceOfN(rapid.IntRange(1, 5), 0, 5).Draw(t, "cards")
		c, err := NewConfigs(cards...)
		if err != nil {
			t.Fatal(err)
		}
		states := make([]int, len(cards))
		previous := make([]int, len(cards))
		for config := range c.Len() {
			c.States(states, config)
			if got := c.Index(states); got != config {
				t.Fatalf("Index(States(%d)) = %d", config, got)
			}
			sum := 0
			for p, s := range states {
				sum += s * c.Stride(p)
			}
			if sum != config {
				t.Fatalf("the strides of %v sum to %d, want %d", states, sum, config)
			}
			if config > 0 && slices.Compare(previous, states) >= 0 {
				t.Fatalf("configuration %v comes after %v", states, previous)
			}
			copy(previous, states)
		}
	})
}

func TestConfigsErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		cards   []int
		message string
	}{
		{"zero", []int{2, 0}, "parent 2 has 0 states"},
		{"negative", []int{-1, 2}, "parent 1 has -1 states"},
		{"too many", []int{1 << 20, 1 << 20, 2}, "configurations"},
		{"overflow", []int{math.MaxInt/2 + 1, math.MaxInt/2 + 1, math.MaxInt/2 + 1}, "configurations"},
		{"41 binary parents", slices.Repeat([]int{2}, 41), "configurations"},
	} {
		if _, err := NewConfigs(c.cards...); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.message)
		}
	}
	most := bits.Len(maxConfigs) - 1 // 40, or 30 where an int has 32 bits
	if c, err := NewConfigs(slices.Repeat([]int{2}, most)...); err != nil || c.Len() != 1<<most {
		t.Errorf("%d binary parents: %d configurations, error %v", most, c.Len(), err)
	}
	if bits.UintSize == 64 && maxConfigs != 1<<40 {
		t.Errorf("at most %d configurations, want 2^40", maxConfigs)
	}
}

// TestConfigsPanics keeps the documented panics: an index out of range is an error
// of the program, not of the data.
func TestConfigsPanics(t *testing.T) {
	c, err := NewConfigs(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"too few states":   func() { c.Index([]int{1}) },
		"state too large":  func() { c.Index([]int{1, 3}) },
		"negative state":   func() { c.Index([]int{-1, 0}) },
		"config too large": func() { c.States(nil, 6) },
		"negative config":  func() { c.States(nil, -1) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "bn: ") {
					t.Errorf("%s: recovered %q, want a message of bn", name, r)
				}
			}()
			f()
		}()
	}
}
