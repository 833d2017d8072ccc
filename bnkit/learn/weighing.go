package learn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// A Weighing is what the data made of statements that were weighed ([Averaged]). [Result.Audit] tests the certain ones
// only.
type Weighing struct {
	Statements []Belief `json:"statements"`
	// Subsets that were weighed, group by group; the weights of a group sum to 1.
	Subsets []Imposed `json:"subsets"`
	// Poor is the probability that the source of the statements is poor, before the data, and PoorAfter after them; 0
	// when the strengths are independent.
	Poor      float64 `json:"poor,omitempty"`
	PoorAfter float64 `json:"poor_after,omitempty"`
	// Independent is as in Averaged.
	Independent bool `json:"independent,omitempty"`
}

// A Belief is what the data made of a statement: how probable it is that it holds, imposed or not.
type Belief struct {
	Statement     constraint.Constraint
	Strength      float64 // as given
	Before, After float64 // probability that it holds, without and with the data
	StdErr        float64 // of After, from simulation; 0 for a closed form
}

// Imposed is a subset of the statements of a group, which are linked by the distributions that they are about.
type Imposed struct {
	Group       int     `json:"group"`      // from 0
	Statements  []int   `json:"statements"` // of Weighing.Statements
	Weight      float64 `json:"weight"`     // after the data
	LogMarginal float64 `json:"log_marginal"`
	StdErr      float64 `json:"standard_error,omitempty"` // of LogMarginal
}

type storedBelief struct {
	Statement json.RawMessage `json:"statement"`
	Strength  float64         `json:"strength"`
	Before    float64         `json:"before"`
	After     float64         `json:"after"`
	StdErr    float64         `json:"standard_error,omitempty"`
}

// MarshalJSON writes the statement as [constraint.Marshal] does.
func (b Belief) MarshalJSON() ([]byte, error) {
	s, err := constraint.Marshal([]constraint.Constraint{b.Statement})
	if err != nil {
		return nil, err
	}
	return json.Marshal(storedBelief{s, b.Strength, b.Before, b.After, b.StdErr})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Belief) UnmarshalJSON(text []byte) error {
	var s storedBelief
	if err := notnull.Unmarshal(text, &s); err != nil {
		return err
	}
	list, err := constraint.Unmarshal(s.Statement)
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return fmt.Errorf("learn: %d statements in the place of one", len(list))
	}
	for _, p := range []float64{s.Strength, s.Before, s.After} {
		if !(p >= 0 && p <= 1+1e-9) {
			return say.Errorf("learn: %q has the probability %v", list[0], p)
		}
	}
	*b = Belief{list[0], s.Strength, s.Before, s.After, s.StdErr}
	return nil
}

// String says it in a line, as in "0.80 → 0.98: higher states of …", with the standard error of the second number when
// that is as large as its last digit.
func (b Belief) String() string {
	if b.StdErr >= 0.01 {
		return fmt.Sprintf("%.2f → %.2f ± %.2f: %v", b.Before, b.After, b.StdErr, b.Statement)
	}
	return fmt.Sprintf("%.2f → %.2f: %v", b.Before, b.After, b.Statement)
}

// mostBeliefs is how many statements a report lists.
const mostBeliefs = 40

// lines report what the data made of the statements, those that they spoke against most first.
func (w *Weighing) lines() []string {
	list := slices.Clone(w.Statements)
	slices.SortStableFunc(list, func(a, b Belief) int { return cmp.Compare(a.After-a.Before, b.After-b.Before) })
	lines := []string{"that each statement holds, before the data → after:"}
	for i, b := range list {
		if i == mostBeliefs {
			lines = append(lines, fmt.Sprintf("  … %d more", len(list)-i))
			break
		}
		lines = append(lines, "  "+b.String())
	}
	times, told := make(map[string]int), make(map[string]bool)
	for _, b := range list {
		times[b.Statement.String()]++
	}
	for _, b := range list {
		if s := b.Statement.String(); times[s] > 1 && !told[s] {
			told[s] = true
			lines = append(lines, fmt.Sprintf("%q stands %d times, each with a strength of its own: more is claimed "+
				"than once; keep one", s, times[s]))
		}
	}
	if !w.Independent {
		lines = append(lines, fmt.Sprintf("that their source is poor: %.2f → %.2f", w.Poor, w.PoorAfter))
	}
	return lines
}

// Method returns the method that makes the weighing again, for other counts: Averaged with the certain statements and
// the settings of a result.
func (w *Weighing) Method(certain []constraint.Constraint, prior PosteriorMean) Averaged {
	m := Averaged{Constraints: slices.Clone(certain), Independent: w.Independent, Pseudocount: prior.Pseudocount,
		Alpha: prior.Alpha, Draws: prior.Draws, Seed: prior.Seed, Strengths: []float64{}}
	for range certain {
		m.Strengths = append(m.Strengths, 1)
	}
	for _, b := range w.Statements {
		m.Constraints, m.Strengths = append(m.Constraints, b.Statement), append(m.Strengths, b.Strength)
	}
	return m
}

// check returns an error for a weighing that was not written by this package.
func (w *Weighing) check(groups []*group) error {
	for _, s := range w.Subsets {
		if s.Group < 0 || s.Group >= len(groups) || !(s.Weight >= 0) {
			return errors.New("learn: the weights of the statements are not those of this network")
		}
		for _, at := range s.Statements {
			if !slices.Contains(groups[s.Group].statements, at) {
				return errors.New("learn: the weights of the statements are not those of this network")
			}
		}
	}
	return nil
}
