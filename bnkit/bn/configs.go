package bn

import (
	"fmt"
	"math"
)

// Configs indexes the parent configurations of a family, the joint states of its discrete parents:
// the first parent varies slowest, the last fastest. Without parents there is one configuration,
// with index 0. The zero value is that case.
type Configs struct {
	cards   []int
	strides []int
	size    int // 0 stands for 1, so that the zero value is a family without parents
}

// maxConfigs bounds the number of parent configurations of one family. It is smaller where an int
// has 32 bits.
const maxConfigs = min(1<<40, math.MaxInt)

// NewConfigs returns the index of parents with the given cardinalities. It returns an error when a
// cardinality is not positive or there are more than [maxConfigs] configurations.
func NewConfigs(cards ...int) (Configs, error) {
	c := Configs{cards: append([]int(nil), cards...), strides: make([]int, len(cards)), size: 1}
	for p := len(cards) - 1; p >= 0; p-- {
		if cards[p] < 1 {
			return Configs{}, fmt.Errorf("bn: parent %d has %d states", p+1, cards[p])
		}
		c.strides[p] = c.size
		if c.size > maxConfigs/cards[p] {
			return Configs{}, fmt.Errorf("bn: %d discrete parents have more than %d configurations; give the variable "+
				"fewer parents", len(cards), maxConfigs)
		}
		c.size *= cards[p]
	}
	return c, nil
}

// Len returns the number of configurations, at least 1.
func (c Configs) Len() int { return max(c.size, 1) }

// Parents returns the number of parents.
func (c Configs) Parents() int { return len(c.cards) }

// Card returns the cardinality of parent p.
func (c Configs) Card(p int) int { return c.cards[p] }

// Stride returns the distance between two configurations that differ by one state of parent p only.
// A configuration is the sum of state × Stride over parents.
func (c Configs) Stride(p int) int { return c.strides[p] }

// Index returns the index of the configuration with the given parent states. It panics when their
// number or a state is out of range.
func (c Configs) Index(states []int) int {
	if len(states) != len(c.cards) {
		panic(fmt.Sprintf("bn: %d parent states for %d parents", len(states), len(c.cards)))
	}
	config := 0
	for p, s := range states {
		if s < 0 || s >= c.cards[p] {
			panic(fmt.Sprintf("bn: state %d of a parent with %d states", s, c.cards[p]))
		}
		config += s * c.strides[p]
	}
	return config
}

// States writes the parent states of a configuration to dst, which is
// allocated when nil, and returns it. It panics when config is out of range.
func (c Configs) States(dst []int, config int) []int {
	if config < 0 || config >= c.Len() {
		panic(fmt.Sprintf("bn: configuration %d of %d", config, c.Len()))
	}
	if dst == nil {
		dst = make([]int, len(c.cards))
	}
	for p := range c.cards {
		dst[p] = config / c.strides[p] % c.cards[p]
	}
	return dst
}

// number reports whether the numbering is that of the given parents.
func (c Configs) number(parents []Variable) bool {
	if len(c.cards) != len(parents) {
		return false
	}
	for p, v := range parents {
		if v.Cardinality() != c.cards[p] {
			return false
		}
	}
	return true
}

// maxCells bounds the entries of one table (2 GiB), so that a family with too
// many parents is an error before it is the end of the program.
const maxCells = 1 << 28

// cells returns the number of table entries for a child with card states, or
// an error when that number cannot be held.
func (c Configs) cells(card int) (int, error) {
	if card > 0 && c.Len() > maxCells/card {
		return 0, fmt.Errorf("bn: a table of %d configurations of %d states is too large, at most %d entries are "+
			"possible; give the variable fewer parents", c.Len(), card, maxCells)
	}
	return c.Len() * card, nil
}
