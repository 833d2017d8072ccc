package constraints

import "bnlab/bnkit/bn"

// Stocks are made-up daily changes of three stocks in percent: that of the computer maker
// DELL is a sum of those of MSFT and INTL, which matter equally, and noise. The names are
// N06's (§4.3, type 12).
func Stocks() (*bn.Network, error) {
	return stocks("[MSFT][INTL|MSFT][DELL|MSFT:INTL]", 0.4, 0.4)
}

// MoreStocks has a maker of power supplies in the sum too, which matters a fifth as much
// (N06 §4.3, type 13).
func MoreStocks() (*bn.Network, error) {
	return stocks("[MSFT][INTL|MSFT][PSUPPLY][DELL|MSFT:INTL:PSUPPLY]", 0.4, 0.4, 0.08)
}

func stocks(model string, weights ...float64) (*bn.Network, error) {
	names := []string{"MSFT", "INTL", "PSUPPLY"}[:len(weights)]
	var vars []bn.Variable
	for _, name := range append(names, "DELL") {
		vars = append(vars, bn.Continuous(name))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		return nil, err
	}
	for v := range net.Len() {
		g := net.Gaussian(v)
		switch g.Child.Name {
		case "MSFT":
			g.Intercept[0], g.Variance[0] = 0.05, 2.25
		case "INTL":
			g.Weights[0][0], g.Variance[0] = 0.6, 1.44
		case "DELL":
			g.Intercept[0], g.Variance[0] = 0.1, 1
			copy(g.Weights[0], weights)
		}
	}
	return net, nil
}
