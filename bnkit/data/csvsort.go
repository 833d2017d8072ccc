package data

import "bnlab/bnkit/bn"

// sort puts the states that columns have so far in natural order. Most files show all their states in the first lines,
// and at the end no cell is then renumbered ([Column.Natural]).
func (p *csvParser) sort() {
	for i := range p.cols {
		c := &p.cols[i]
		if c.kind == csvText && (c.rule == csvGuess || c.rule == csvDiscrete) && len(c.texts) <= fewSorted {
			c.sort(p.row)
		}
	}
}

// fewSorted are the states that take no time to sort. Of more there are others to come.
const fewSorted = 256

func (c *csvColumn) sort(rows int) {
	texts, numbers := make([]string, len(c.texts)), make([]float64, len(c.texts))
	number := make([]bn.State, len(c.texts))
	for to, from := range naturalOrder(c.texts) {
		texts[to], numbers[to], number[from] = c.texts[from], c.numbers[from], bn.State(to)
	}
	c.texts, c.numbers = texts, numbers
	for text, s := range c.index {
		c.index[text] = number[s]
	}
	for at := range c.dict.slots {
		if s := &c.dict.slots[at]; s.key != emptyKey && s.state != bn.Missing {
			s.state = number[s.state]
		}
	}
	for row, s := range c.states[:rows] {
		if s != bn.Missing {
			c.states[row] = number[s]
		}
	}
}
