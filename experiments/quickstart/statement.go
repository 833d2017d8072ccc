package quickstart

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/bnkit/viz"
	"bnlab/datasets"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// The first page of README: one table, before and after one statement, and what that is worth in cases.
const (
	firstModel  = "[irradiat][deg_malig][class|irradiat:deg_malig]"
	firstTarget = "class"
	firstEvent  = "recurrence-events"
	firstCases  = 20
	oneSaid     = "with the statement"
)

// firstStatement is one of Y13's for this domain (§5; breast.yaml), here of all three degrees. All patients bear it
// out, but for seven of them.
func firstStatement() constraint.Constraint {
	return constraint.Influence{Parent: "deg_malig", Child: firstTarget}
}

// One is what a single statement does.
type One struct {
	Said  constraint.Constraint
	Rows  []OneRow        // of the table of the target, from the first draw of firstCases cases
	Curve *validate.Curve // data alone, and with the statement
	Worth []validate.Equivalent
}

// OneRow is a row of the table: in a context, how many cases there are to learn from and the probability of a
// recurrence by each learner. Where there is no case, data alone leave the pseudocount's 0.5.
type OneRow struct {
	Context string
	Cases   int
	P       [2]float64
}

// computeOne fits the small network to one draw, and scores it over all.
func computeOne(ctx context.Context, job *run.Job, c Config) (*One, error) {
	df, err := datasets.Load("breast-cancer")
	if err != nil {
		return nil, err
	}
	net, err := bnkit.NewNetwork(firstModel, df, nil)
	if err != nil {
		return nil, err
	}
	o := &One{Said: firstStatement()}
	methods := []learn.Method{learn.MAP{Pseudocount: c.Virtual},
		learn.MAP{Pseudocount: c.Virtual, Constraints: []constraint.Constraint{o.Said}}}
	order := rand.New(job.Source(oneDrawStream, 0)).Perm(df.Nrow())
	if o.Rows, err = oneTable(ctx, net, df.Subset(order[:firstCases]), methods); err != nil {
		return nil, err
	}
	job.Step("one statement")
	seed, stream := run.State(job.Source(oneCurveStream, 0))
	o.Curve, err = bnkit.LearningCurve(ctx, net, df, firstTarget, []validate.Learner{
		{Name: DataAlone, Candidates: methods[:1]}, {Name: oneSaid, Candidates: methods[1:]},
	}, append([]int{firstCases / 2}, c.Sizes...), &validate.Settings{Seed: seed, Stream: stream, Repeats: c.Draws,
		Workers: job.Workers})
	if err != nil {
		return nil, err
	}
	worth, err := o.Curve.EquivalentSampleSize(DataAlone, oneSaid, validate.LogScore, job.Source(oneWorthStream, 0))
	if err != nil {
		return nil, err
	}
	o.Worth = worth.Sizes
	return o, nil
}

// oneTable has the rows of the target's table as each method fits them.
func oneTable(ctx context.Context, net *bn.Network, df dataframe.DataFrame, methods []learn.Method) ([]OneRow, error) {
	var rows []OneRow
	for m, method := range methods {
		model, err := bnkit.Fit(ctx, net, df, method, nil)
		if err != nil {
			return nil, err
		}
		table, err := bnkit.CPT(model, firstTarget)
		if err != nil {
			return nil, err
		}
		p := table.Col(firstTarget + "=" + firstEvent).Float()
		degree, treated := table.Col("deg_malig").Records(), table.Col("irradiat").Records()
		for r := range p {
			if m == 0 {
				treatment := "not irradiated"
				if treated[r] == "yes" {
					treatment = "irradiated"
				}
				rows = append(rows, OneRow{Context: fmt.Sprintf("%s, degree %s", treatment, degree[r]),
					Cases: both(df.Col("irradiat").Records(), treated[r], df.Col("deg_malig").Records(), degree[r])})
			}
			rows[r].P[m] = p[r]
		}
	}
	return rows, nil
}

// both is in how many rows one column has one value and another has another.
func both(a []string, is string, b []string, has string) int {
	n := 0
	for i := range a {
		if a[i] == is && b[i] == has {
			n++
		}
	}
	return n
}

// tables are the files of this part: the two tables, the curve and what the statement is worth.
func (o *One) tables() (table, scores, worth *run.Table) {
	table = run.NewTable("context", "cases", "data_alone", "with_statement")
	for _, r := range o.Rows {
		table.Append(r.Context, r.Cases, r.P[0], r.P[1])
	}
	scores = run.NewTable("examples", "learner", "mean", "p05", "p50", "p95", "replicates")
	for i, size := range o.Curve.Sizes {
		for _, l := range o.Curve.Learners {
			b := l.LogScore[i]
			scores.Append(size, l.Name, b.Mean, b.P05, b.P50, b.P95, b.N)
		}
	}
	worth = run.NewTable("statement", "examples", "reached", "equivalent_examples", "p05", "p95")
	for _, e := range o.Worth {
		worth.Append(o.Said.String(), e.Cases, e.Value, e.Size.String(), e.Low.String(), e.High.String())
	}
	return table, scores, worth
}

// plot draws both halves side by side.
func (o *One) plot() (*viz.Figure, error) {
	var contexts []string
	dots := []viz.BarSeries{{Name: DataAlone}, {Name: oneSaid}}
	for _, r := range o.Rows {
		contexts = append(contexts, fmt.Sprintf("%s: n = %d", r.Context, r.Cases))
		for i := range dots {
			dots[i].Values = append(dots[i].Values, r.P[i])
		}
	}
	left, err := looks.Dots(contexts, dots, &viz.Axes{Width: looks.Page / 2, Height: 3.6, YRange: [2]float64{0, 1},
		Title: fmt.Sprintf("One table, from %d patients (n in each group)", firstCases),
		Y:     "probability of a recurrence"})
	if err != nil {
		return nil, err
	}
	at := 0
	for i, e := range o.Worth {
		if e.Cases == firstCases {
			at = i
		}
	}
	right, err := looks.LearningCurve(o.Curve, validate.LogScore, &viz.Axes{Width: looks.Page / 2, Height: 3.6,
		Title: fmt.Sprintf("%d patients with the statement are worth %s without", firstCases, o.Worth[at].Size),
		X:     "patients to learn from", Y: "log score (nats a case)"})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
