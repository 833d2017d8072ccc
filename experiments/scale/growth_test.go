package scale

import (
	"fmt"
	"math"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// TestGrowth runs each task at its two smallest sizes of the profile quick.
func TestGrowth(t *testing.T) {
	c := Config{Growth: map[string][]int{}, GrowthRepeats: 1, GrowthSeconds: 1e-9}
	for name, sizes := range ConfigFor(run.Quick).Growth {
		c.Growth[name] = sizes[:2]
	}
	list, err := c.measureGrowth(t.Context(), &run.Job{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2*len(growths) || len(c.Growth) != len(growths) {
		t.Fatalf("%d measurements of %d tasks, %d with sizes", len(list), len(growths), len(c.Growth))
	}
	for _, g := range growths {
		if s, ok := growthSlope(list, g.name); !ok && processor() >= 0 || ok && s.points != 2 {
			t.Errorf("%s: slope %+v", g.name, s)
		}
	}
	r := &Results{grown: list}
	if figure, err := r.growthFigure(); err != nil || figure == nil && processor() >= 0 {
		t.Errorf("figure %v: %v", figure, err)
	}
}

// TestGrowthVerdicts: times that grow as the mathematics says, faster, and at one size only.
func TestGrowthVerdicts(t *testing.T) {
	world := func(excess float64, sizes ...int) []run.Claim {
		r := &Results{}
		for i := range growths {
			for _, size := range sizes {
				r.grown = append(r.grown, grown{&growths[i], size, math.Pow(float64(size), growths[i].order+excess)})
			}
		}
		for _, g := range growths {
			if s, ok := growthSlope(r.grown, g.name); ok && math.Abs(s.all-g.order-excess) > 1e-9 {
				t.Errorf("%s: slope %v of a power of %v", g.name, s.all, g.order+excess)
			}
		}
		return runtest.Claims(t, func(job *run.Job) error {
			r.judgeGrowth(job)
			return nil
		})
	}
	want := make(map[string]string)
	for _, g := range growths {
		want[fmt.Sprintf("%s: processor time grows no faster than", g.task)] = "yes no n/a"
	}
	runtest.Verdicts(t, [][]run.Claim{world(0.1, 10, 20, 40), world(0.3, 10, 20, 40), world(0, 10)}, want)
}
