package bnkit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// alarmed is a small network whose numbers are round.
func alarmed() (*bn.Network, error) {
	net, err := bn.New("[fire][smoke|fire][prank][alarm|smoke:prank]",
		bn.Discrete("fire", "no", "yes"), bn.Discrete("smoke", "none", "thin", "thick"),
		bn.Discrete("prank", "no", "yes"), bn.Discrete("alarm", "off", "on"))
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"fire":  "no yes\n0.9 0.1",
		"smoke": "fire | none thin thick\nno | 0.9 0.1 0\nyes | 0.1 0.4 0.5",
		"prank": "no yes\n0.8 0.2",
		"alarm": "smoke prank | off on\nnone no | 1 0\nthin no | 0.6 0.4\nthick no | 0.1 0.9\n* yes | 0.5 0.5",
	} {
		if err := net.SetTable(name, text); err != nil {
			return nil, err
		}
	}
	return net, nil
}

func ExamplePosterior() {
	net, err := alarmed()
	if err != nil {
		fmt.Println(err)
		return
	}
	post, err := bnkit.Posterior(net, infer.Evidence{"alarm": "on", "prank": "no"}, "fire", "smoke")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(post.Names())
	for row, p := range post.Col("probability").Float() {
		fmt.Println(post.Elem(row, 0), post.Elem(row, 1), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// [variable state probability]
	// fire no 0.371
	// fire yes 0.629
	// smoke none 0.000
	// smoke thin 0.536
	// smoke thick 0.464
}

// joint is P(variable = state, evidence), summed over all joint states.
func joint(net *bn.Network, evidence infer.Evidence, variable, state string) float64 {
	total := 0.0
	at := make([]int, net.Len())
	var visit func(v int)
	visit = func(v int) {
		if v < net.Len() {
			for s, name := range net.Variable(v).States {
				want, observed := evidence[net.Variable(v).Name]
				if observed && want != name || net.Variable(v).Name == variable && name != state {
					continue
				}
				at[v] = s
				visit(v + 1)
			}
			return
		}
		p := 1.0
		for u := range at {
			config := 0
			for _, parent := range net.DAG().Parents(u) {
				config = config*net.Variable(parent).Cardinality() + at[parent]
			}
			p *= net.CPT(u).Row(config)[at[u]]
		}
		total += p
	}
	visit(0)
	return total
}

// Posteriors are sums over the joint distribution.
func TestPosterior(t *testing.T) {
	net := must[*bn.Network](t)(alarmed())
	for _, tt := range []struct {
		name     string
		evidence infer.Evidence
		targets  []string
		want     []string // variables
	}{
		{"marginals", nil, nil, []string{"fire", "smoke", "prank", "alarm"}},
		{"no evidence", infer.Evidence{}, []string{"alarm"}, []string{"alarm"}},
		{"what is not observed", infer.Evidence{"alarm": "on"}, nil, []string{"fire", "smoke", "prank"}},
		{"in the order asked for", infer.Evidence{"alarm": "on", "fire": "yes"}, []string{"prank", "smoke"},
			[]string{"prank", "smoke"}},
		{"an observed target", infer.Evidence{"alarm": "off", "prank": "yes"}, []string{"prank", "fire"},
			[]string{"prank", "fire"}},
		{"all observed", infer.Evidence{"alarm": "on", "prank": "yes", "fire": "no", "smoke": "thin"}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			df := must[dataframe.DataFrame](t)(bnkit.Posterior(net, tt.evidence, tt.targets...))
			if df.Err != nil {
				t.Fatal(df.Err)
			}
			if diff := cmp.Diff([]string{"variable", "state", "probability"}, df.Names()); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
			row, evidence := 0, joint(net, tt.evidence, "", "")
			for _, name := range tt.want {
				v := must[int](t)(net.Index(name))
				for _, state := range net.Variable(v).States {
					if got := df.Elem(row, 0).String() + "=" + df.Elem(row, 1).String(); got != name+"="+state {
						t.Fatalf("row %d is of %s, want %s=%s", row, got, name, state)
					}
					numtest.Close(t, df.Elem(row, 2).Float(), joint(net, tt.evidence, name, state)/evidence, 1e-14, 0)
					row++
				}
			}
			if df.Nrow() != row {
				t.Errorf("%d rows, want %d", df.Nrow(), row)
			}
		})
	}
}

// A continuous variable is no target of its own accord.
func TestPosteriorGivenANumber(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[sick][fever|sick]", bn.Discrete("sick", "no", "yes"), bn.Continuous("fever")))
	if err := net.SetGaussian(&bn.LinearGaussian{Child: bn.Continuous("fever"), Discrete: net.Variables()[:1],
		Intercept: []float64{37, 39}, Weights: [][]float64{{}, {}}, Variance: []float64{1, 1}}); err != nil {
		t.Fatal(err)
	}
	df := must[dataframe.DataFrame](t)(bnkit.Posterior(net, infer.Evidence{"fever": "38.5"}))
	if df.Nrow() != 2 {
		t.Fatalf("%d rows, want 2:\n%v", df.Nrow(), df)
	}
	// The densities are as exp(−1.5²/2) to exp(−0.5²/2): odds of e.
	numtest.Close(t, df.Elem(1, 2).Float()/df.Elem(0, 2).Float(), 2.718281828459045, 1e-13, 0)
	if df = must[dataframe.DataFrame](t)(bnkit.Posterior(net, nil)); df.Nrow() != 2 {
		t.Errorf("%d marginals, want 2:\n%v", df.Nrow(), df)
	}
	if _, err := bnkit.Posterior(net, nil, "fever"); !errors.Is(err, bn.ErrNotDiscrete) {
		t.Errorf("a continuous target: %v", err)
	}
}

func TestPosteriorErrors(t *testing.T) {
	net := must[*bn.Network](t)(alarmed())
	// Each variable depends on the one before it and the seventh before it: a clique of eight.
	model, states, wide := "", make([]string, 15), []bn.Variable{}
	for s := range states {
		states[s] = fmt.Sprint(s)
	}
	for v := range 40 {
		name := fmt.Sprintf("V%d", v)
		wide = append(wide, bn.Discrete(name, states...))
		model += "[" + name
		for k, u := range []int{v - 1, v - 7} {
			if u >= 0 {
				model += []string{"|", ":"}[k] + fmt.Sprintf("V%d", u)
			}
		}
		model += "]"
	}
	grid := must[*bn.Network](t)(bn.New(model, wide...))
	for _, tt := range []struct {
		name     string
		net      *bn.Network
		evidence infer.Evidence
		target   string
		is       error
		says     string
	}{
		{"no network", nil, nil, "fire", nil, "there is no network"},
		{"unknown target", net, nil, "water", bn.ErrUnknownVariable, `"water"`},
		{"unknown variable", net, infer.Evidence{"water": "no"}, "fire", bn.ErrUnknownVariable, `"water"`},
		{"unknown state", net, infer.Evidence{"smoke": "blue"}, "fire", bn.ErrUnknownState, `"blue"`},
		{"impossible", net, infer.Evidence{"fire": "no", "smoke": "thick"}, "alarm", infer.ErrImpossibleEvidence,
			"fire=no, smoke=thick"},
		{"too wide", grid, nil, "V39", infer.ErrTooWide, "LikelihoodWeighting"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bnkit.Posterior(tt.net, tt.evidence, tt.target)
			if err == nil || !strings.HasPrefix(err.Error(), "bnkit: ") || !strings.Contains(err.Error(), tt.says) ||
				tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
