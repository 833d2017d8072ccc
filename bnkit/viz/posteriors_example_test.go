package viz_test

import (
	"fmt"
	"image/color"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

func lungNet() (*bn.Network, error) {
	return bn.New("[smoke][cancer|smoke][xray|cancer]",
		bn.Discrete("smoke", "no", "yes"), bn.Discrete("cancer", "no", "yes"),
		bn.Discrete("xray", "negative", "positive"))
}

// An X-ray before and after: what is believed of each variable, side by side.
func ExampleBeliefs() {
	net, err := lungNet()
	if err != nil {
		log.Fatal(err)
	}
	fig, err := viz.Network(net, &viz.NetworkOptions{Title: "Lung cancer", Beliefs: []viz.Beliefs{
		{Name: "before the X-ray", P: map[string][]float64{"smoke": {0.7, 0.3}, "cancer": {0.95, 0.05},
			"xray": {0.88, 0.12}}},
		{Name: "after", P: map[string][]float64{"smoke": {0.52, 0.48}, "cancer": {0.62, 0.38}},
			Evidence: bn.Given{"xray": "positive"}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// In a notebook: nb.Show(fig). nb.Network computes the beliefs too.

	// Output:
	// Lung cancer (figure of 2.5 × 3.4 inches)
}

// posteriors has evidence in one of two beliefs, and a probability too small for a bar.
func posteriors() (*viz.Figure, error) {
	net, err := lungNet()
	if err != nil {
		return nil, err
	}
	return viz.Network(net, &viz.NetworkOptions{Title: "Lung cancer", Beliefs: []viz.Beliefs{
		{Name: "fit A", P: map[string][]float64{"smoke": {0.7, 0.3}, "cancer": {0.9998, 0.0002}, "xray": {0.88, 0.12}}},
		{Name: "fit B, X-ray positive", P: map[string][]float64{"smoke": {0.52, 0.48}, "cancer": {0.62, 0.38}},
			Evidence: bn.Given{"xray": "positive"}},
	}})
}

// gauges has observed and hidden continuous variables, many states, long names, what no belief
// tells of, and the options.
func gauges() (*viz.Figure, error) {
	levels, p := make([]string, 12), make([]float64, 12)
	for k := range levels {
		levels[k], p[k] = fmt.Sprintf("level %d of the gauge in the corner", k+1), float64(k+1)/78
	}
	net, err := bn.New("[state][gauge|state][other|gauge][temperature|state][drift of the temperature|temperature]",
		bn.Discrete("state", "calm", "disturbed"), bn.Discrete("gauge", levels...), bn.Discrete("other", "a", "b"),
		bn.Continuous("temperature"), bn.Continuous("drift of the temperature"))
	if err != nil {
		return nil, err
	}
	return viz.Network(net, &viz.NetworkOptions{Horizontal: true, Shaded: []string{"other"},
		Colors:    map[string]color.Color{"gauge": viz.Color(0)},
		ArcLabels: map[[2]string]string{{"state", "temperature"}: "+"}, Beliefs: []viz.Beliefs{
			{Name: "night", P: map[string][]float64{"gauge": p}, Evidence: bn.Given{"temperature": "-3.25"}},
			{Name: "morning", P: map[string][]float64{"state": {0.4, 0.6}}, Evidence: bn.Given{"gauge": levels[0]}},
			{Name: "noon", P: map[string][]float64{"gauge": p},
				Evidence: bn.Given{"state": "calm", "temperature": "21"}},
		}})
}

// soft has findings short of a value on a target, on another variable, and in one of two beliefs.
func soft() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	return viz.Network(net, &viz.NetworkOptions{Targets: []string{"rain", "grass"}, Beliefs: []viz.Beliefs{
		{Name: "forecast", P: map[string][]float64{"rain": {0.3, 0.7}, "grass": {0.4, 0.6}},
			Soft: map[string]string{"rain": "set to 0.3 : 0.7", "temperature": "in [10, 15]"}},
		{Name: "and a look at the lawn", P: map[string][]float64{"rain": {0.2, 0.8}, "grass": {0.1, 0.9}},
			Evidence: bn.Given{"sprinkler": "on", "temperature": "12"},
			Soft:     map[string]string{"grass": "likelihood 0.1 : 0.9"}},
	}})
}
