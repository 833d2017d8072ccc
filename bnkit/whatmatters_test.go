package bnkit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// TestWhatMatters: information and ranges of variables and pairs, by enumeration.
func TestWhatMatters(t *testing.T) {
	rows := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		net := infertest.Random(rng, 3+rng.IntN(4), 0.1)
		evidence := infertest.Evidence(rng, net, 0.15)
		at := rng.IntN(net.Len())
		target := net.Variable(at)
		all, _ := infertest.Enumerate(net, evidence)
		if _, seen := evidence[target.Name]; all == 0 || seen {
			continue
		}
		df, err := bnkit.WhatMatters(net, evidence, target.Name, &bnkit.WhatMattersSettings{Pairs: true,
			Costs: map[string]float64{net.Variable(0).Name: 4}})
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		for i := range df.Nrow() {
			names := strings.Split(df.Col("variable").Elem(i).String(), ", ")
			var vars []int
			cost := 0.0
			for _, name := range names {
				v, err := net.Index(name)
				if err != nil {
					t.Fatal(err)
				}
				vars = append(vars, v)
				cost += map[bool]float64{true: 4, false: 1}[v == 0]
			}
			joint, alone, of := map[string]float64{}, map[string]float64{}, map[int]float64{}
			infertest.Joint(net, func(states []int, p float64) {
				if !infertest.Agrees(net, states, evidence) {
					return
				}
				key := ""
				for _, v := range vars {
					key += fmt.Sprint(states[v], " ")
				}
				joint[key+fmt.Sprint(states[at])] += p / all
				alone[key] += p / all
				of[states[at]] += p / all
			})
			want, low, high := 0.0, math.Inf(1), 0.0
			for key, p := range alone {
				if p == 0 {
					continue
				}
				for s := range target.States {
					if q := joint[key+fmt.Sprint(s)]; q > 0 {
						want += q * math.Log(q/(p*of[s]))
					}
				}
				q := joint[key+fmt.Sprint(len(target.States)-1)] / p
				low, high = min(low, q), max(high, q)
			}
			got := func(name string) float64 { return df.Col(name).Elem(i).Float() }
			if math.Abs(got("information")-want) > 1e-12 || math.Abs(got("low")-low) > 1e-12 ||
				math.Abs(got("high")-high) > 1e-12 || got("cost") != cost {
				t.Fatalf("seed %d: %v: %v, %v to %v at the cost %v, want %v, %v to %v at %v", seed, names,
					got("information"), got("low"), got("high"), got("cost"), want, low, high, cost)
			}
			if per := got("per cost"); per > last {
				t.Errorf("seed %d: %v stands below what tells less", seed, names)
			} else {
				last = per
			}
			rows++
		}
		free := net.Len() - 1 - len(evidence)
		if want := free + free*(free-1)/2; df.Nrow() != want {
			t.Errorf("seed %d: %d rows, want %d", seed, df.Nrow(), want)
		}
	}
	if rows < 50 {
		t.Errorf("%d rows: too few to tell", rows)
	}
}

// A patient is short of breath. An X-ray tells most of lung cancer; bronchitis, which explains the breath
// away, tells something too.
func ExampleWhatMatters() {
	df, err := bnkit.WhatMatters(infertest.Asia(), infer.Evidence{"dysp": "yes"}, "lung", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		fmt.Printf("%-6s %.3f, from %.3f to %.3f\n", df.Col("variable").Elem(i), df.Col("information").Elem(i).Float(),
			df.Col("low").Elem(i).Float(), df.Col("high").Elem(i).Float())
	}
	// Output:
	// either 0.281, from 0.000 to 0.853
	// xray   0.209, from 0.002 to 0.621
	// smoke  0.024, from 0.024 to 0.148
	// bronc  0.014, from 0.078 to 0.227
	// tub    0.000, from 0.057 to 0.104
	// asia   0.000, from 0.100 to 0.103
}

// A clear X-ray does not fit to tuberculosis.
func ExampleImpacts() {
	evidence := infer.Evidence{"tub": "yes", "xray": "no", "smoke": "yes"}
	df, err := bnkit.Impacts(infertest.Asia(), evidence, "lung", "yes")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		fmt.Printf("%s=%s: %.3f without it, conflict %.2f\n", df.Col("finding").Elem(i), df.Col("value").Elem(i),
			df.Col("without").Elem(i).Float(), df.Col("conflict").Elem(i).Float())
	}
	// Output:
	// =: 0.055 without it, conflict 3.80
	// smoke=yes: 0.055 without it, conflict 0.00
	// tub=yes: 0.002 without it, conflict 3.75
	// xray=no: 0.100 without it, conflict 3.80
}

func TestWhatMattersRefused(t *testing.T) {
	net := infertest.Asia()
	set := func(s bnkit.WhatMattersSettings) *bnkit.WhatMattersSettings { return &s }
	for _, test := range []struct {
		target   string
		evidence infer.Evidence
		set      *bnkit.WhatMattersSettings
		want     string
	}{
		{"lungs", nil, nil, `unknown variable "lungs"`},
		{"lung", infer.Evidence{"tub": "perhaps"}, nil, `"perhaps"`},
		{"lung", nil, set(bnkit.WhatMattersSettings{State: "perhaps"}), `"perhaps"`},
		{"lung", nil, set(bnkit.WhatMattersSettings{Costs: map[string]float64{"tub": 0}}), "above 0"},
		{"lung", nil, set(bnkit.WhatMattersSettings{Costs: map[string]float64{"tube": 1}}), `"tube"`},
		{"lung", infer.Evidence{"tub": "yes", "either": "no"}, nil, "probability zero"},
	} {
		if _, err := bnkit.WhatMatters(net, test.evidence, test.target, test.set); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s given %v: %v, want %q", test.target, test.evidence, err, test.want)
		}
	}
	if _, err := bnkit.Impacts(net, nil, "lung", ""); err == nil {
		t.Error("no evidence had an impact")
	}
	df := must[dataframe.DataFrame](t)(bnkit.WhatMatters(net, infer.Evidence{"lung": "yes"}, "either", nil))
	if i := slices.Index(df.Col("variable").Records(), "tub"); df.Col("share").Elem(i).Float() != 0 {
		t.Error("what is known already has a share of its entropy")
	}
}
