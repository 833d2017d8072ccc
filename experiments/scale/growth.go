package scale

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A growth is a task in memory whose size is one quantity, and what it must cost: processor time ∝ size^order. The
// orders are those of the mathematics and were written down before the first run.
type growth struct {
	name, quantity, task string
	order                float64
	reason               string // of the order
	// prepare makes the input of a size; what it returns is measured.
	prepare func(ctx context.Context, size int, rng *rand.Rand) (func() error, error)
}

// A grown is one size of a growth.
type grown struct {
	growth    *growth
	size      int
	processor float64 // seconds, −1 where it cannot be had
}

// measureGrowth measures each task at its sizes, one worker each.
func (c Config) measureGrowth(ctx context.Context, job *run.Job) ([]grown, error) {
	var list []grown
	for i, g := range growths {
		for at, size := range c.Growth[g.name] {
			job.Progress("measure growth", i, len(growths))
			do, err := g.prepare(ctx, size, rand.New(job.Source(streamGrowth, 100*i+at)))
			if err != nil {
				return nil, say.Errorf("scale: growth with %s: %w", g.quantity, err)
			}
			one := grown{growth: &growths[i], size: size, processor: math.Inf(1)}
			for range c.GrowthRepeats {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				spent, err := repeated(do, c.GrowthSeconds)
				if err != nil {
					return nil, say.Errorf("scale: growth with %s: %w", g.quantity, err)
				}
				one.processor = min(one.processor, spent)
			}
			list = append(list, one)
		}
	}
	return list, nil
}

// repeated is the processor time of do, in seconds, by as many calls as take some time together.
func repeated(do func() error, least float64) (float64, error) {
	settle()
	start := processor()
	if start < 0 {
		return -1, do()
	}
	for calls := 1; ; calls++ {
		if err := do(); err != nil {
			return 0, err
		}
		if spent := processor() - start; spent >= least {
			return spent / float64(calls), nil
		}
	}
}

// growthSlope fits processor time ∝ size^slope to the sizes of a task.
func growthSlope(list []grown, name string) (slope, bool) {
	var points []result
	for _, one := range list {
		if one.growth.name == name {
			points = append(points, result{rows: one.size, usage: usage{processor: one.processor}})
		}
	}
	return fit(points, func(one result) float64 { return one.processor })
}

// growthTable is the measurements.
func (r *Results) growthTable() *run.Table {
	t := run.NewTable("growth", "quantity", "task", "size", "processor_seconds")
	t.Measure("processor_seconds")
	for _, one := range r.grown {
		t.Append(one.growth.name, one.growth.quantity, one.growth.task, one.size, orNot(one.processor))
	}
	return t
}

// growthSlopeTable is how cost grows, beside what the mathematics says.
func (r *Results) growthSlopeTable() *run.Table {
	t := run.NewTable("growth", "quantity", "task", "order", "slope", "slope_of_the_last_two", "sizes")
	t.Measure("slope", "slope_of_the_last_two")
	for _, g := range growths {
		if s, ok := growthSlope(r.grown, g.name); ok {
			t.Append(g.name, g.quantity, g.task, g.order, s.all, s.last, s.points)
		}
	}
	return t
}

// judgeGrowth judges that nothing grows faster than its mathematics.
func (r *Results) judgeGrowth(job *run.Job) {
	for _, g := range growths {
		most := g.order + linearAtMost - 1
		s := statement(fmt.Sprintf("%s: processor time grows no faster than %s", g.task, power(g.quantity, g.order)),
			"exponent", fmt.Sprintf("%s; judged: exponent at most %g over all sizes", g.reason, most))
		s.Measured = true
		slope, ok := growthSlope(r.grown, g.name)
		if !ok {
			job.Missing(s, "", "fewer than two sizes were measured")
			continue
		}
		job.Order(s, "", fmt.Sprintf("%.2f", slope.all), slope.all <= most)
	}
}

// power names a power of a quantity.
func power(quantity string, order float64) string {
	switch order {
	case 1:
		return "the " + quantity
	case 2:
		return "the square of the " + quantity
	}
	return fmt.Sprintf("the %s to the power of %g", quantity, order)
}
