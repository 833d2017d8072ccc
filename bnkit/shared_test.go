package bnkit_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/viz"
)

// What the documentation says may be shared between goroutines is shared here, without locks: the answers are
// those of one goroutine, and under -race nothing is written.
func TestSharedBetweenGoroutines(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[a][b][y|a:b]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Discrete("y", "0", "1")))
	if err := net.SetTable("y", "a b | 0 1\n0 0 | 0.9 0.1\n0 1 | 0.6 0.4\n1 0 | 0.7 0.3\n1 1 | 0.2 0.8"); err != nil {
		t.Fatal(err)
	}
	table := must[*data.Table](t)(data.Sample(net, 200, rand.NewPCG(91, 0)))
	counts := must[*data.Counts](t)(table.Count(net, nil))
	up := constraint.Influence{Parent: "a", Child: "y", Margin: 0.1}
	few := constraint.AtMost{Var: "y", Given: bn.Given{"a": "0", "b": "0"}, States: []string{"1"}, P: 1e-9}
	m := learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{up, few}}
	problem := must[*constraint.Problem](t)(constraint.Compile(net, up, few))
	solution := must[*constraint.Solution](t)(problem.Solve(counts.N))
	compiled := must[*learn.Compiled](t)(learn.Compile(net, m))
	result := must[*learn.Result](t)(learn.Fit(t.Context(), net, table, m, nil))
	model := &bnkit.Model{Result: result}
	engine := must[*infer.Engine](t)(infer.New(net, nil))
	plan := must[*infer.Plan](t)(infer.NewPlan(net, table, nil))
	scorer := must[*structure.Scorer](t)(structure.NewScorer(table, structure.BIC{}, nil))
	file := must[*knowledge.File](t)(knowledge.Parse("k.yaml", []byte("variables:\n  - {name: a, states: [0, 1]}\n  "+
		"- {name: y, states: [0, 1]}\nnetwork: \"[a][y|a]\"\nstatements:\n  - influence: {parent: a, child: y, sign: "+
		"positive}\n")))
	curve := must[*metric.ROCCurve](t)(metric.ROC([]float64{0.1, 0.4, 0.35, 0.8}, []bool{false, false, true, true},
		nil))
	figure := must[*viz.Figure](t)(viz.ROC([]*metric.ROCCurve{curve}, nil))
	drawing := must[*viz.Figure](t)(viz.Network(net, nil))
	dynamic := must[*dbn.Network](t)(dbn.New("[a|a[t-1]][y|a]", bn.Discrete("a", "0", "1"), bn.Discrete("y", "0", "1")))
	series := must[*dbn.Series](t)(dynamic.Sample([]int{5, 4}, rand.NewPCG(92, 0)))
	cases := must[*dbn.Cases](t)(dynamic.Cases(series, nil))

	for name, use := range map[string]func() (any, error){
		"bn.Network": func() (any, error) {
			return fmt.Sprint(net, net.CPT(2), net.Layout().Len(), net.Clone()), net.Validate()
		},
		"data.Table": func() (any, error) { return table.Count(net, nil) },
		"data.Counts": func() (any, error) {
			r, err := compiled.Fit(counts, nil)
			return fmt.Sprint(r.Net.CPT(2)), err
		},
		"constraint.Problem": func() (any, error) {
			theta := make([]float64, len(counts.N))
			return theta, problem.Maximize(theta, counts.N)
		},
		"constraint.Solution": func() (any, error) {
			forces, _, err := solution.Multipliers()
			return forces, err
		},
		"learn.Compiled": func() (any, error) {
			theta := make([]float64, len(counts.N))
			return theta, compiled.Tables(theta, counts.N)
		},
		"learn.Result":     func() (any, error) { return fmt.Sprint(result), nil },
		"bnkit.Model":      func() (any, error) { return bnkit.Posterior(model.Net, infer.Evidence{"y": "1"}, "a") },
		"infer.Engine":     func() (any, error) { return engine.Marginals(nil) },
		"infer.Plan":       func() (any, error) { return plan.Expect(make([]float64, len(counts.N)), solution.Theta) },
		"structure.Scorer": func() (any, error) { return scorer.Family(t.Context(), 2, []int{0, 1}) },
		"dbn.Network":      func() (any, error) { return dynamic.Smooth(series) },
		"dbn.Series":       func() (any, error) { return dynamic.Filter(series) },
		"dbn.Cases": func() (any, error) {
			layout := dynamic.Template().Layout()
			theta := make([]float64, layout.Len())
			for v := range dynamic.Template().Len() {
				lo, hi := layout.Family(v)
				copy(theta[lo:hi], dynamic.Template().CPT(v).P)
			}
			return cases.Expect(make([]float64, layout.Len()), theta)
		},
		"knowledge.File": func() (any, error) {
			net, err := file.Network()
			return fmt.Sprint(net, file.Statements()), err
		},
		"viz.Figure, curves":  func() (any, error) { return figure.PNG() },
		"viz.Figure, network": func() (any, error) { return drawing.SVG() },
	} {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			got := make([]string, 4)
			for i := range got {
				all.Go(func() {
					v, err := use()
					if err != nil {
						t.Error(err)
					}
					got[i] = fmt.Sprintf("%v", v)
				})
			}
			all.Wait()
			for _, other := range got[1:] {
				if other != got[0] {
					t.Errorf("answers differ:\n%.200s\n%.200s", got[0], other)
				}
			}
		})
	}
}
