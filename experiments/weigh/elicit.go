package weigh

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// The orders in which an expert is asked.
const (
	proposed = "proposed"
	atRandom = "at random"
)

// orders are those of the figure.
var orders = []string{proposed, atRandom}

// Interviews are the log scores after so many questions to an expert, less those before any, in nats a case, by order,
// questions and replicate.
type Interviews struct {
	Gain map[string][][]float64
}

// asked are the causes of the truths that an expert is asked about, both signs of each.
const asked = 3

// answered is the strength of a statement that the expert confirms.
const answered = 0.9

// computeInterviews asks an expert who knows the truth, a noisy-OR in which causes or their absence act, about the
// signs of all causes. A yes goes into the next fit; a no does not, and a cause whose sign is known is not asked about
// again.
func computeInterviews(ctx context.Context, job *run.Job, c Config) (*Interviews, error) {
	r := &Interviews{Gain: make(map[string][][]float64)}
	for _, order := range orders {
		for range 2*asked + 1 {
			r.Gain[order] = append(r.Gain[order], make([]float64, c.Interviews))
		}
	}
	err := job.Replicates(ctx, "interviews", c.Interviews, func(replicate int, _ *rand.PCG) error {
		src := job.Source(elicitStream, replicate)
		rng := rand.New(src)
		reversed := make([]bool, asked)
		for i := range reversed {
			reversed[i] = rng.IntN(2) == 1
		}
		truth, err := drawTruth(rng, asked, reversed...)
		if err != nil {
			return err
		}
		cases, err := data.Sample(truth, c.InterviewCases, src)
		if err != nil {
			return err
		}
		counts, err := cases.Count(truth, &data.CountOptions{Workers: 1})
		if err != nil {
			return err
		}
		var questions []question
		for i := range asked {
			for _, sign := range []constraint.Sign{constraint.Positive, constraint.Negative} {
				questions = append(questions, question{i, constraint.Influence{Parent: truth.Variable(i).Name,
					Child: "Y", Sign: sign}, (sign == constraint.Negative) == reversed[i]})
			}
		}
		rng.Shuffle(len(questions), func(i, k int) { questions[i], questions[k] = questions[k], questions[i] })
		for _, order := range orders {
			interview := &interview{truth: &study{net: truth, child: asked}, counts: counts, open: questions,
				seed: rng.Uint64()}
			scores, err := interview.hold(ctx, order == proposed)
			if err != nil {
				return err
			}
			for k := range r.Gain[order] {
				r.Gain[order][k][replicate] = scores[min(k, len(scores)-1)] - scores[0]
			}
		}
		return nil
	})
	return r, err
}

// A question is about a cause; the answer is the truth.
type question struct {
	cause     int
	statement constraint.Influence
	yes       bool
}

// An interview of an expert.
type interview struct {
	truth  *study
	counts *data.Counts
	open   []question // in a random order
	seed   uint64
}

// hold asks until nothing is open, and returns the log score of the fit before the first question and after each.
func (v *interview) hold(ctx context.Context, isProposed bool) ([]float64, error) {
	m := learn.Averaged{Strengths: []float64{}, Seed: v.seed}
	open := v.open
	var scores []float64
	isKnown := [asked]bool{}
	learned := true // since the last fit
	for {
		if learned {
			compiled, err := learn.Compile(v.truth.net, m)
			if err != nil {
				return nil, err
			}
			fit, err := compiled.Fit(v.counts, nil)
			if err != nil {
				return nil, err
			}
			one, err := score(fit.Net.CPT(asked).P, weightsOf(v.truth.net.CPT(asked)))
			if err != nil {
				return nil, err
			}
			scores = append(scores, one.LogScore)
			open = closed(open, isKnown)
			if isProposed && len(open) > 1 {
				if open, err = sorted(ctx, fit, open, v.seed); err != nil {
					return nil, err
				}
			}
		} else {
			scores = append(scores, scores[len(scores)-1])
		}
		if len(open) == 0 {
			return scores, nil
		}
		next := open[0]
		open = open[1:]
		if learned = next.yes; learned {
			m.Constraints, m.Strengths = append(m.Constraints, next.statement), append(m.Strengths, answered)
			isKnown[next.cause] = true
		}
	}
}

// closed leaves out questions about causes that are known.
func closed(open []question, isKnown [asked]bool) []question {
	var list []question
	for _, q := range open {
		if !isKnown[q.cause] {
			list = append(list, q)
		}
	}
	return list
}

// sorted puts the questions first that are worth most.
func sorted(ctx context.Context, fit *learn.Result, open []question, seed uint64) ([]question, error) {
	var candidates []constraint.Constraint
	at := make(map[string]question)
	for _, q := range open {
		candidates = append(candidates, q.statement)
		at[q.statement.String()] = q
	}
	ranked, err := fit.Elicit(ctx, candidates, &learn.ElicitSettings{Reliability: answered, Draws: elicitDraws,
		Seed: seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	list := make([]question, len(ranked))
	for i, r := range ranked {
		list[i] = at[r.Statement.String()]
	}
	return list, nil
}

// elicitDraws of each candidate: to rank six needs fewer than to weigh them.
const elicitDraws = 4000

// area is the gain averaged over the numbers of questions, by replicate.
func (r *Interviews) area(order string) []float64 {
	curve := r.Gain[order][1:]
	mean := make([]float64, len(curve[0]))
	for _, scores := range curve {
		for i, x := range scores {
			mean[i] += x / float64(len(curve))
		}
	}
	return mean
}

func (r *Interviews) interviewTable() *run.Table {
	t := run.NewTable("questions", "order", "gain_nats", "low", "high", "over_random_nats", "over_random_low",
		"over_random_high", "interviews")
	for k := range r.Gain[proposed] {
		for _, order := range orders {
			row := append([]any{k, order}, interval(r.Gain[order][k])...)
			row = append(row, interval(less(r.Gain[order][k], r.Gain[atRandom][k], 1))...)
			t.Append(append(row, len(r.Gain[order][k]))...)
		}
	}
	return t
}

func (r *Interviews) interviewClaim(job *run.Job) {
	first := stat.Mean(less(r.Gain[proposed][1], r.Gain[atRandom][1], 1), nil)
	s := statement("questions in the proposed order raise the log score sooner than in a random order", run.Simulated,
		"nats a case, in the mean over the numbers of questions", run.PredictYes, prototype,
		"")
	s.Note = "the order is greedy, each question worth most by itself; after the first question the lead is " +
		run.Format(float64(int(1e4*first))/10) + " millinats"
	job.Compare(s, "–", run.Comparison{Differences: less(r.area(proposed), r.area(atRandom), 1)})
}
