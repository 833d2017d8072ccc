package apn

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// Lungs returns a small network to begin with: smoking makes a disease more likely, the
// disease three findings.
func Lungs() (*bn.Network, error) {
	net, err := bn.New("[Smoker][Disease|Smoker][Xray|Disease][Cough|Disease][Breath|Disease]",
		bn.Discrete("Smoker", "no", "yes"), bn.Discrete("Disease", "no", "yes"),
		bn.Discrete("Xray", "clear", "shadow"), bn.Discrete("Cough", "no", "yes"),
		bn.Discrete("Breath", "easy", "short"))
	if err != nil {
		return nil, err
	}
	return net, errors.Join(
		net.SetTable("Smoker", "no yes\n0.7 0.3"),
		net.SetTable("Disease", "Smoker | no yes\nno | 0.9 0.1\nyes | 0.6 0.4"),
		net.SetTable("Xray", "Disease | clear shadow\nno | 0.95 0.05\nyes | 0.3 0.7"),
		net.SetTable("Cough", "Disease | no yes\nno | 0.8 0.2\nyes | 0.2 0.8"),
		net.SetTable("Breath", "Disease | easy short\nno | 0.9 0.1\nyes | 0.4 0.6"),
	)
}

// InsuranceHidden are the variables of the insurance network that are never observed.
func InsuranceHidden() []string { return append([]string(nil), insuranceHidden[:]...) }

// Careless is a noisy-OR of Fever whose derivatives have a wrong sign, to show what
// [learn.CheckGradient] says.
type Careless struct{}

var _ learn.ParametricCPD = Careless{}

// String implements [learn.ParametricCPD].
func (Careless) String() string { return "careless noisy-OR of Fever" }

// Bind implements [learn.ParametricCPD].
func (Careless) Bind(net *bn.Network) (*learn.Parametric, error) {
	p, err := learn.NoisyORCPD{Child: "Fever", Leak: true}.Bind(net)
	if err != nil {
		return nil, err
	}
	right := p.Pullback
	p.Pullback = func(dst, lambda, g []float64) {
		right(dst, lambda, g)
		for i := range dst {
			dst[i] = -dst[i]
		}
	}
	return p, nil
}
