package apn

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/experiments/apn/baseline"
	"bnlab/internal/say"
)

// A scene is a true network of which some variables are never observed; of the others the
// outputs are predicted from the inputs.
type scene struct {
	truth           *bn.Network
	inputs, outputs []string
	test            *data.Table // joint states of the inputs
	x               [][]bn.State
	weight          []float64   // of each
	want            [][]float64 // the true distributions of the outputs, one after another
}

// newScene works out what the truth predicts for the rows of a table of inputs.
func newScene(truth *bn.Network, inputs, outputs []string, test *data.Table, weight []float64) (*scene, error) {
	s := &scene{truth: truth, inputs: inputs, outputs: outputs, test: test, weight: weight}
	rows, err := baseline.NewRows(test, inputs, nil)
	if err != nil {
		return nil, err
	}
	s.x = rows.X
	s.want, err = predictions(truth, test, outputs)
	return s, err
}

// predictions returns, by row of a table of inputs, what a network says of the outputs.
func predictions(net *bn.Network, test *data.Table, outputs []string) ([][]float64, error) {
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	all := make([][]float64, test.Rows())
	for _, output := range outputs {
		p, err := engine.Predict(test, output)
		if err != nil {
			return nil, err
		}
		for row := range all {
			all[row] = append(all[row], p[row]...)
		}
	}
	return all, nil
}

// floor is the least entry of a table that predicts.
const floor = 1e-9

// floored returns the network with no entry below the floor. Maximum likelihood gives
// probability 0 to a state that never occurred, and nothing follows from evidence that has
// it; with the floor it is like evidence of nearly probability 0.
func floored(net *bn.Network) *bn.Network {
	net = net.Clone()
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, total := t.Row(config), 0.0
			for i, p := range row {
				row[i] = max(p, floor)
				total += row[i]
			}
			for i := range row {
				row[i] /= total
			}
		}
	}
	return net
}

// networkError is the error of a fitted network.
func (s *scene) networkError(net *bn.Network) (float64, error) {
	p, err := predictions(floored(net), s.test, s.outputs)
	if err != nil {
		return 0, err
	}
	return s.meanSquaredError(p), nil
}

// meanSquaredError is R95 §7's measure of predictions,
//
//	Σ_x w(x) · mean over the values of all outputs (P̂(value | x) − P(value | x))².
func (s *scene) meanSquaredError(p [][]float64) float64 {
	total, weight := 0.0, 0.0
	for i, want := range s.want {
		squares := 0.0
		for value, q := range want {
			squares += (p[i][value] - q) * (p[i][value] - q)
		}
		total, weight = total+s.weight[i]*squares/float64(len(want)), weight+s.weight[i]
	}
	return total / weight
}

// spread is the error of predicting the true proportions of the outputs whatever the inputs:
// what knowing the inputs is worth at most.
func (s *scene) spread() float64 {
	mean, weight := make([]float64, len(s.want[0])), 0.0
	for i, want := range s.want {
		for value, p := range want {
			mean[value] += s.weight[i] * p
		}
		weight += s.weight[i]
	}
	for value := range mean {
		mean[value] /= weight
	}
	p := make([][]float64, len(s.want))
	for i := range p {
		p[i] = mean
	}
	return s.meanSquaredError(p)
}

// A sample is what is observed of cases from a scene's truth.
type sample struct {
	table *data.Table // inputs and outputs
	rows  *baseline.Rows
}

// newSample keeps the inputs and outputs of complete cases.
func (s *scene) newSample(complete *data.Table) (*sample, error) {
	t, err := complete.Keep(append(append([]string(nil), s.inputs...), s.outputs...)...)
	if err != nil {
		return nil, err
	}
	rows, err := baseline.NewRows(t, s.inputs, s.outputs)
	return &sample{table: t, rows: rows}, err
}

// head are the first n cases.
func (s *sample) head(n int) *sample {
	return &sample{table: s.table.Head(n), rows: s.rows.Head(n)}
}

// jointStates is a table of all joint states of root variables with their probabilities.
func jointStates(net *bn.Network, roots []string) (*data.Table, []float64, error) {
	var columns []data.Column
	var cards []int
	var p [][]float64
	for _, name := range roots {
		v, err := net.Index(name)
		if err != nil {
			return nil, nil, err
		}
		if len(net.DAG().Parents(v)) > 0 {
			return nil, nil, say.Errorf("apn: %q is not a root", name)
		}
		columns = append(columns, data.Column{Var: net.Variable(v)})
		cards, p = append(cards, net.Variable(v).Cardinality()), append(p, net.CPT(v).P)
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return nil, nil, err
	}
	weight := make([]float64, configs.Len())
	for config := range weight {
		weight[config] = 1
		for i, state := range configs.States(nil, config) {
			columns[i].States = append(columns[i].States, bn.State(state))
			weight[config] *= p[i][state]
		}
	}
	t, err := data.New(columns...)
	return t, weight, err
}
