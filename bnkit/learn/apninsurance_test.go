package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/datatest"
)

// insurance is the network of R95 §7 and cases of the 15 variables that are seen there.
func insurance(t testing.TB, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bif.ReadFile(datatest.Path(t, "networks/insurance.bif"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(net, rows, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	table, err = table.Keep("GoodStudent", "Age", "VehicleYear", "MakeModel", "Mileage", "Antilock", "SeniorTrain",
		"HomeBase",
		"AntiTheft", "PropCost", "OtherCar", "MedCost", "Airbag", "ILiCost", "DrivHist")
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// counted counts the E-steps.
type counted struct {
	learn.Cases
	steps int
}

func (c *counted) Expect(n, theta []float64) (float64, error) {
	c.steps++
	return c.Cases.Expect(n, theta)
}

// With 12 of 27 variables hidden, L-BFGS is further after 60 E-steps than EM.
func TestAPNOnInsurance(t *testing.T) {
	net, table := insurance(t, 1000)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		reached := func(m learn.Method) float64 {
			c, best := &counted{Cases: plan}, math.Inf(-1)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			_, err := learn.FitCases(ctx, net, c, m, &learn.Settings{
				Starts: 1, Seed: 5, Stream: seed,
				Progress: func(p learn.Progress) {
					if c.steps > 60 {
						stop()
						return
					}
					best = p.Step.Objective
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			return best
		}
		em, apn := reached(learn.EM{Pseudocount: .1}), reached(learn.APN{Pseudocount: .1})
		if t.Logf("start %d: EM %.1f, APN %.1f", seed, em, apn); !(apn > em) {
			t.Errorf("start %d: APN %v, EM %v", seed, apn, em)
		}
	}
}

// What an iteration costs, E-step included.
func BenchmarkAPN(b *testing.B) {
	net, table := insurance(b, 1000)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []learn.Method{learn.EM{}, learn.APN{}, learn.APN{ConjugateGradient: true}} {
		b.Run(m.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := learn.FitCases(b.Context(), net, plan, m, &learn.Settings{Starts: 1, Seed: 1,
					MaxIterations: 20}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
