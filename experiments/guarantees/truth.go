package guarantees

import (
	"fmt"

	"bnlab/bnkit/bn"
)

// tiedTruth is one variable X with s states t1 … ts of probability 0.15 and two more, for
// Theorem 2.
func tiedTruth(s int) (*bn.Network, error) {
	names, row := tiedRow(s, tiedTheta)
	net, err := bn.New("[X]", bn.Discrete("X", names...))
	if err != nil {
		return nil, err
	}
	return net, fill(net, "X", row)
}

// tiedFamily is a network in which X has such a distribution in each of its four parent
// configurations, and the probability 0.15 in the configuration A=yes, B=yes. That has
// the probability 0.4 · 0.3 = 0.12.
func tiedFamily(s int) (*bn.Network, error) {
	names, _ := tiedRow(s, 0)
	net, err := bn.New("[A][B|A][X|A:B]", bn.Discrete("A", "no", "yes"), bn.Discrete("B", "no", "yes"),
		bn.Discrete("X", names...))
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	for _, theta := range []float64{0.05, 0.1, 0.12, tiedTheta} {
		_, row := tiedRow(s, theta)
		rows = append(rows, row)
	}
	for _, err := range []error{
		fill(net, "A", []float64{0.6, 0.4}),
		fill(net, "B", []float64{0.8, 0.2}, []float64{0.7, 0.3}),
		fill(net, "X", rows...),
	} {
		if err != nil {
			return nil, err
		}
	}
	return net, nil
}

const (
	tiedTheta  = 0.15
	familySeen = 0.4 * 0.3 // P(A=yes, B=yes)
)

// tiedRow names the states and gives their probabilities.
func tiedRow(s int, theta float64) (names []string, row []float64) {
	for i := range s {
		names, row = append(names, fmt.Sprintf("t%d", i+1)), append(row, theta)
	}
	rest := 1 - float64(s)*theta
	return append(names, "u", "v"), append(row, 0.7*rest, 0.3*rest)
}

// oneTruth is a distribution over eight states that satisfies every right statement of
// [oneClasses] and no wrong one.
func oneTruth() (*bn.Network, error) {
	net, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c", "d", "e", "f", "g", "h"))
	if err != nil {
		return nil, err
	}
	return net, fill(net, "X", []float64{0.10, 0.10, 0.20, 0.06, 0.12, 0.18, 0.14, 0.10})
}

// wordTruth is the kind of word in four languages, after the examples of N06 §4.3. It
// satisfies every right statement of [wordClasses] and no wrong one.
func wordTruth() (*bn.Network, error) {
	net, err := bn.New("[Language][Word|Language]",
		bn.Discrete("Language", "Italian", "Spanish", "Russian", "Bulgarian"),
		bn.Discrete("Word", "international", "latin", "slavic", "noun", "verb"))
	if err != nil {
		return nil, err
	}
	if err := fill(net, "Language", []float64{0.3, 0.3, 0.2, 0.2}); err != nil {
		return nil, err
	}
	return net, fill(net, "Word",
		[]float64{0.30, 0.25, 0.05, 0.20, 0.20},
		[]float64{0.30, 0.25, 0.15, 0.20, 0.10},
		[]float64{0.30, 0.10, 0.20, 0.30, 0.10},
		[]float64{0.30, 0.18, 0.20, 0.24, 0.08},
	)
}

// stockTruth is the price of a computer maker's stock, which depends on the prices of
// three suppliers and of a rival, after the example of N06 §4.3.
func stockTruth() (*bn.Network, error) {
	names := []string{"large1", "large2", "small", "rival"}
	net, err := bn.New("[large1][large2][small][rival][maker|large1:large2:small:rival]",
		bn.Continuous("large1"), bn.Continuous("large2"), bn.Continuous("small"), bn.Continuous("rival"),
		bn.Continuous("maker"))
	if err != nil {
		return nil, err
	}
	v, err := net.Index("maker")
	if err != nil {
		return nil, err
	}
	weight := map[string]float64{"large1": 0.5, "large2": 0.5, "small": 0.1, "rival": -0.3}
	maker := net.Gaussian(v)
	for i, name := range names {
		maker.Weights[0][i] = weight[name]
	}
	maker.Intercept[0], maker.Variance[0] = 1, 1
	return net, net.Validate()
}

// fill puts rows into the table of a variable, by parent configuration.
func fill(net *bn.Network, name string, rows ...[]float64) error {
	t, err := net.Table(name)
	if err != nil {
		return err
	}
	for config, row := range rows {
		copy(t.Row(config), row)
	}
	return net.Validate()
}
