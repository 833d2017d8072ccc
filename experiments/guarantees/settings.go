package guarantees

import (
	"fmt"
	"math"

	"bnlab/bnkit/constraint"
)

// Examples in a data set of each setting.
const (
	tiedExamples   = 20 // one distribution: all are cases of it
	familyExamples = 12 // parent configuration: 1.44 on average, none in 22 % of the data sets
	oneExamples    = 40
	wordExamples   = 80
	stockExamples  = 20
)

// timesShared are the s of Theorem 2 that are simulated.
var timesShared = [...]int{2, 3, 5}

// identitySettings are those of Theorem 2: for each s one distribution, and one parent
// configuration of a network.
func identitySettings() ([]setting, error) {
	var settings []setting
	for _, s := range timesShared {
		names, _ := tiedRow(s, 0)
		classes := []class{{number: 2, name: "sharing",
			right: constraint.ShareStates{Var: "X", Groups: [][]string{names[:s]}}}}
		one, err := tiedTruth(s)
		if err != nil {
			return nil, err
		}
		settings = append(settings, setting{
			name: fmt.Sprintf("one distribution, %d examples", tiedExamples), truth: one, examples: tiedExamples,
			classes: classes, s: s,
			hi: 1, rows: []constraint.Row{{}}, inverse: inverseCases(tiedExamples, 1),
		})
		family, err := tiedFamily(s)
		if err != nil {
			return nil, err
		}
		v, config := 2, 3 // X in A=yes, B=yes
		at := family.Layout().Cell(v, config, 0)
		settings = append(settings, setting{
			name: fmt.Sprintf("network with parents, %d examples", familyExamples), truth: family,
			examples: familyExamples, classes: classes, s: s,
			lo: at, hi: at + 1, rows: []constraint.Row{{Var: v, Config: config}},
			inverse: inverseCases(familyExamples, familySeen),
		})
	}
	return settings, nil
}

// classSettings are those of the conjecture for the other discrete classes: all
// parameters of one table.
func classSettings() ([]setting, error) {
	one, err := oneTruth()
	if err != nil {
		return nil, err
	}
	word, err := wordTruth()
	if err != nil {
		return nil, err
	}
	v := 1 // Word
	lo, hi := word.Layout().Family(v)
	var rows []constraint.Row
	for config := range word.CPT(v).Configs().Len() {
		rows = append(rows, constraint.Row{Var: v, Config: config})
	}
	return []setting{
		{name: fmt.Sprintf("one distribution of 8 states, %d examples", oneExamples), truth: one, examples: oneExamples,
			classes: oneClasses(),
			hi:      one.Layout().Len(), rows: []constraint.Row{{}}},
		{name: fmt.Sprintf("four distributions of 5 states, %d examples", wordExamples), truth: word,
			examples: wordExamples, classes: wordClasses(),
			lo: lo, hi: hi, rows: rows},
	}, nil
}

// theory is the right side of Theorem 2,
//
//	θ (1 − 1/s) E[1/N | N ≠ 0].
func (s setting) theory() float64 {
	return tiedTheta * float64(s.s-1) / float64(s.s) * s.inverse
}

// inverseCases is E[1/N | N ≠ 0] for a binomial number N of cases among n examples that
// are each one with probability p > 0.
func inverseCases(n int, p float64) float64 {
	if p == 1 {
		return 1 / float64(n)
	}
	sum, some := 0.0, 0.0
	mass := math.Pow(1-p, float64(n))
	for k := 1; k <= n; k++ {
		mass *= float64(n-k+1) / float64(k) * p / (1 - p)
		sum += mass / float64(k)
		some += mass
	}
	return sum / some
}
