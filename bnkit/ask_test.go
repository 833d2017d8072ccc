package bnkit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

func ExamplePosterior_evidence() {
	net, err := alarmed()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, evidence := range []infer.Evidence{
		{"smoke": infer.AtLeast("thin")},                                 // thin or thick
		{"smoke": infer.Likelihood{"none": .1, "thin": .5, "thick": .9}}, // P(what was smelt | smoke)
		{"fire": infer.Distribution{"no": .5, "yes": .5}},                // must hold afterwards
	} {
		post, err := bnkit.Posterior(net, evidence, "alarm")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("P(alarm) = %.3f: %v\n", post.Col("probability").Float()[1], evidence)
	}
	// Output:
	// P(alarm) = 0.531: smoke≥thin
	// P(alarm) = 0.377: smoke: likelihood (none 0.1, thick 0.9, thin 0.5)
	// P(alarm) = 0.360: fire: distribution (no 0.5, yes 0.5)
}

func ExampleJoint() {
	net, err := alarmed()
	if err != nil {
		fmt.Println(err)
		return
	}
	joint, err := bnkit.Joint(net, infer.Evidence{"alarm": "on"}, "fire", "prank")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(joint.Names())
	for row, p := range joint.Col("probability").Float() {
		fmt.Println(joint.Elem(row, 0), joint.Elem(row, 1), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// [fire prank probability]
	// no no 0.162
	// no yes 0.507
	// yes no 0.275
	// yes yes 0.056
}

func ExampleMostProbable() {
	net, err := alarmed()
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := bnkit.MostProbable(net, infer.Evidence{"alarm": "on"}, 3, "fire", "smoke")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(best.Names())
	for row, p := range best.Col("probability").Float() {
		fmt.Println(best.Elem(row, 0), best.Elem(row, 1), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// [fire smoke probability bound]
	// no none 0.456
	// yes thick 0.231
	// no thin 0.213
}

func ExampleSample_given() {
	net, err := alarmed()
	if err != nil {
		fmt.Println(err)
		return
	}
	draws, err := bnkit.Sample(net, 1000, rand.NewPCG(1, 0), infer.Evidence{"alarm": "on", "prank": "no"})
	if err != nil {
		fmt.Println(err)
		return
	}
	burns := 0
	for _, state := range draws.Col("fire").Records() {
		if state == "yes" {
			burns++
		}
	}
	fmt.Println(draws.Names(), burns)
	// Output: [fire smoke prank alarm] 640
}

// Verbs take evidence as it stands in the data, and kinds of it that have states of the network.
func TestAskRaw(t *testing.T) {
	df := dataframe.New(series.New([]float64{20, 31, 42.5, 64, 75, 86}, series.Float, "age"),
		series.New([]string{"no", "no", "yes", "no", "yes", "yes"}, series.String, "ill"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "age", Cuts: []float64{50},
		Names: []string{"young", "old"}}))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts}))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, &bnkit.Settings{Discretization: cuts}))
	for name, evidence := range map[string]infer.Evidence{
		"a cell":       {"age": "64"},
		"a number":     {"age": 64.0},
		"an int":       {"age": 64},
		"a state":      {"age": "old"},
		"a set":        {"age": infer.AtLeast("old")},
		"a likelihood": {"age": infer.Likelihood{"old": 3, "young": 0}},
	} {
		joint := must[dataframe.DataFrame](t)(bnkit.Joint(m, evidence, "ill"))
		best := must[dataframe.DataFrame](t)(bnkit.MostProbable(m, evidence, 1, "ill", "age"))
		draws := must[dataframe.DataFrame](t)(bnkit.Sample(m, 20, rand.NewPCG(1, 0), evidence))
		if p := joint.Col("probability").Float()[1]; p < .666 || p > .667 {
			t.Errorf("%s: P(ill) = %v, want 2/3", name, p)
		}
		if best.Elem(0, 0).String() != "yes" || best.Elem(0, 1).String() != "old" || best.Nrow() != 1 {
			t.Errorf("%s: most probable %v", name, best)
		}
		if strings.Contains(fmt.Sprint(draws.Col("age").Records()), "young") || draws.Nrow() != 20 {
			t.Errorf("%s: draws %v", name, draws)
		}
	}
	for name, evidence := range map[string]infer.Evidence{
		"a set": {"age": infer.OneOf("64")}, "a value": {"age": "aged"},
	} {
		for _, err := range []error{
			second(bnkit.Posterior(m, evidence)), second(bnkit.Joint(m, evidence, "ill")),
			second(bnkit.MostProbable(m, evidence, 1)), second(bnkit.Sample(m, 1, rand.NewPCG(1, 0), evidence)),
		} {
			if err == nil || !strings.Contains(err.Error(), `age`) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
	for _, err := range []error{
		second(bnkit.Joint(nil, nil, "ill")), second(bnkit.MostProbable((*bn.Network)(nil), nil, 1)),
		second(bnkit.Sample(&bnkit.Model{}, 1, rand.NewPCG(1, 0), nil)), second(bnkit.Joint(m, nil, "well")),
		second(bnkit.MostProbable(m, nil, 0)), second(bnkit.Sample(m, 1, nil, nil)),
		second(bnkit.Sample(m, 1, rand.NewPCG(1, 0), nil, nil)),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
	if _, err := bnkit.Sample(m, 1, nil, nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("error %v", err)
	}
}

// A cell of a column and a finding on the variable that is read from it are one too many.
func TestAskTwice(t *testing.T) {
	k, err := knowledge.Parse("flu.yaml", []byte(flu))
	if err != nil {
		t.Fatal(err)
	}
	net := must[*bn.Network](t)(k.Network())
	evidence := infer.Evidence{"temp": 38.4, "fever": infer.Likelihood{"no": 0.2, "yes": 0.7}}
	if _, err := bnkit.Posterior(net, evidence, "flu"); err == nil || !strings.Contains(err.Error(),
		`"fever" is given twice`) {
		t.Errorf("error %v", err)
	}
}
