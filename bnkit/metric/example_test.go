package metric_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
)

// weather is P(rain) and P(wet grass | rain).
func weather(rain, wet string) (*bn.Network, error) {
	net, err := bn.New("[rain][wet|rain]", bn.Discrete("rain", "no", "yes"), bn.Discrete("wet", "no", "yes"))
	if err != nil {
		return nil, err
	}
	if err := net.SetTable("rain", rain); err != nil {
		return nil, err
	}
	return net, net.SetTable("wet", wet)
}

func ExampleNetworkKL() {
	truth, err := weather("no yes\n 0.8 0.2", "rain | no yes\n no | 0.9 0.1\n yes | 0.2 0.8")
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := weather("no yes\n 0.7 0.3", "rain | no yes\n no | 0.9 0.1\n yes | 0.4 0.6")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := metric.NetworkKL(truth, model)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f nats\n", d)
	// Output: 0.0440 nats
}

func ExampleLogScore() {
	net, days, err := twoDays()
	if err != nil {
		fmt.Println(err)
		return
	}
	whole, err := metric.LogScore(net, days)
	if err != nil {
		fmt.Println(err)
		return
	}
	rain, err := metric.ConditionalLogScore(net, days, "rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f days: %.3f nats a day, of rain given the grass %.3f\n", whole.Cases, whole.Average, rain.Average)
	// Output: 2 days: -1.081 nats a day, of rain given the grass -0.230
}

func ExamplePredict() {
	net, days, err := twoDays()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := metric.Predict(net, days, "rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	for day, rain := range p.P {
		fmt.Printf("day %d: no %.3f, yes %.3f\n", day+1, rain[0], rain[1])
	}
	// Output:
	// day 1: no 0.947, yes 0.053
	// day 2: no 0.333, yes 0.667
}

func ExamplePredictions_QuadraticLoss() {
	net, days, err := twoDays()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := metric.Predict(net, days, "rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	loss, err := p.QuadraticLoss()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f; a coin has 0.5\n", loss.Average)
	// Output: 0.114; a coin has 0.5
}

// The scores of three ill and three healthy patients.
func ExampleROC() {
	c, err := metric.ROC([]float64{.8, .6, .2, .6, .3, .1}, []bool{true, true, true, false, false, false}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c)
	// Output: AUC 0.7222 (standard error 0.25), 3 positive and 3 negative cases
}

func ExamplePairedT() {
	monotone, free := []float64{.71, .74, .69, .73, .72}, []float64{.66, .70, .68, .68, .69}
	test, err := metric.PairedT(monotone, free, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test)
	// Output: difference 0.036 ± 0.0075, t = 4.81 with 4 degrees of freedom, p = 0.0086
}

// twoDays is a dry one without rain and a wet one with.
func twoDays() (*bn.Network, *data.Table, error) {
	net, err := weather("no yes\n 0.8 0.2", "rain | no yes\n no | 0.9 0.1\n yes | 0.2 0.8")
	if err != nil {
		return nil, nil, err
	}
	days, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1}},
	)
	return net, days, err
}
