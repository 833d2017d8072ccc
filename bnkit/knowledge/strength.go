package knowledge

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// likely is the strength of a statement with a density that says none.
const likely = 0.8

// A degree is a word for a strength.
type degree struct {
	word string
	p    float64
}

// scale lists the words that a file may give in place of a number.
func scale() []degree {
	return []degree{{"certain", 1}, {"nearly certain", 0.95}, {"likely", likely}, {"a guess", 0.5}}
}

// scaleText shows the scale in an error.
func scaleText() string {
	var list []string
	for _, d := range scale() {
		list = append(list, fmt.Sprintf("%s (%v)", d.word, d.p))
	}
	return strings.Join(list, ", ")
}

// strengthText is a strength as files show it: its word, or else the number; empty for 0.
func strengthText(p float64) string {
	for _, d := range scale() {
		if d.p == p {
			return d.word
		}
	}
	if p == 0 {
		return ""
	}
	return strconv.FormatFloat(p, 'g', -1, 64)
}

// readStrength reads a word of the scale or a probability.
func readStrength(n ast.Node) (float64, error) {
	text, err := (&decoder{}).text(n, `"strength"`)
	if err != nil {
		return 0, err
	}
	for _, d := range scale() {
		if d.word == text {
			return d.p, nil
		}
	}
	if p, ok := number(text); ok && p > 0 && p <= 1 {
		return p, nil
	}
	return 0, wrong(n.GetToken(), `"strength" is %q; give a probability above 0, as in 0.7, or a word: %s`, text,
		scaleText())
}

// checkStrength is an error for a strength that is no probability, or that doubts what cannot be doubted.
func (e Entry) checkStrength() error {
	if _, _, isPriced := bare(e.Statement); isPriced && e.Strength != 0 {
		return errors.New("a strength and a price are two ways to doubt a statement; leave one out")
	}
	switch {
	case e.Strength == 0 || e.Strength == 1:
		return nil
	case !(e.Strength > 0 && e.Strength < 1):
		return say.Errorf("the strength is %v; give a probability, or 0 for none", e.Strength)
	case constraint.IsInequality(e.Statement):
		return nil
	}
	why := "it is an equality, which holds with probability 0 under a prior density"
	switch e.Statement.(type) {
	case constraint.NoisyOR, *constraint.NoisyOR:
		why = "a noisy-OR has no prior density here"
	case constraint.NoisyMAX, *constraint.NoisyMAX:
		why = "a noisy-MAX has no prior density here"
	case constraint.SignWeights, *constraint.SignWeights, constraint.BoundWeights, *constraint.BoundWeights:
		why = "weights have no prior density here"
	}
	return say.Errorf("a strength below 1 is for inequalities, such as influences, orders and bounds; of this "+
		"statement no data could tell how probable it is: %s; leave the strength out, and the statement is taken as "+
		"certain", why)
}

// Strengths returns the strength of each statement, in the order of the file: for an entry without one, 0.8 where the
// statement is an inequality, which data can make more or less probable, and 1 otherwise.
func (k *File) Strengths() []float64 {
	list := make([]float64, len(k.Entries))
	for i, e := range k.Entries {
		switch list[i] = e.Strength; {
		case e.Strength != 0:
		case !e.isEmpty() && constraint.IsInequality(e.Statement):
			list[i] = likely
		default:
			list[i] = 1
		}
	}
	return list
}
