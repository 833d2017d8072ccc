package weigh

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/pool"
)

// A VerdictRate is how often the audit says a word of a statement about which the truth is known.
type VerdictRate struct {
	Statement string  // "influence", "equality" or "bound"
	Truth     string  // "inside", "boundary", "partly" or "false"
	Cases     int     // n
	Word      string  // of the verdict, up to its colon
	Said      float64 // share of the audits
	StdErr    float64
	Audits    int
}

// verdictWords are the words that are counted, the hardest first.
var verdictWords = []string{"the data contradict it", "the data speak against it", "doubtful",
	"compatible with the data", "holds in the data already", "the data support it"}

// verdictCases are the numbers of cases at which words are counted.
var verdictCases = []int{20, 80, 320, 1000}

// A verdictTruth is what may be true of a statement, and the probabilities of the yes in its table.
type verdictTruth struct {
	statement, truth string
	yes              []float64
}

// verdictTruths are the truths of the three statements of a file: "x raises y" in four contexts (rows with x=0 stand
// before those with x=1), "P(z) is the same whatever x" and "at most .3 are w". "Boundary" is a true statement that
// holds with equality, "partly" one that is false in one of four contexts.
var verdictTruths = []verdictTruth{
	{"influence", "inside", []float64{.3, .5, .3, .5, .3, .5, .3, .5}},
	{"influence", "boundary", []float64{.4, .4, .4, .4, .4, .4, .4, .4}},
	{"influence", "partly", []float64{.3, .5, .3, .5, .3, .5, .6, .3}},
	{"influence", "false", []float64{.5, .3, .5, .3, .5, .3, .5, .3}},
	{"equality", "boundary", []float64{.4, .4}},
	{"equality", "false", []float64{.3, .5}},
	{"bound", "inside", []float64{.2}},
	{"bound", "boundary", []float64{.3}},
	{"bound", "false", []float64{.45}},
}

// VerdictRates audits files of three statements, an influence in four contexts, an equality of two distributions and a
// bound, on draws data sets of 20, 80, 320 and 1,000 cases each. In each the truth of each statement is drawn: inside
// what the statement allows, on its boundary, or false, of an influence also in one context only. The p-values behind
// the words are adjusted for the three (Holm). Results depend on the seed only. It ends with the error of ctx.
func VerdictRates(ctx context.Context, seed uint64, draws int, progress func(done, total int)) ([]VerdictRate, error) {
	net, err := bn.New("[a][b][x][w][y|a:b:x][z|x]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("x", "no", "yes"), bn.Discrete("w", "no", "yes"), bn.Discrete("y", "no", "yes"),
		bn.Discrete("z", "no", "yes"))
	if err != nil {
		return nil, err
	}
	compiled, err := learn.Compile(net, learn.ML{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "x", Child: "y"},
		constraint.ShareAcross{Var: "z"},
		constraint.AtMost{Var: "w", States: []string{"yes"}, P: .3},
	}})
	if err != nil {
		return nil, err
	}
	var rates []VerdictRate
	for i, n := range verdictCases {
		said := make([]map[int]string, draws) // words by the number of the truth
		failed := make([]error, draws)
		pool.Each(draws, pool.Workers(0), func(draw int) {
			if failed[draw] = ctx.Err(); failed[draw] == nil {
				src := rand.NewPCG(seed, uint64(i*draws+draw))
				said[draw], failed[draw] = verdictsOf(ctx, net, compiled, n, src)
			}
		})
		for _, err := range failed {
			if err != nil {
				return nil, err
			}
		}
		rates = append(rates, countVerdicts(n, said)...)
		if progress != nil {
			progress(i+1, len(verdictCases))
		}
	}
	return rates, nil
}

// verdictsOf draws a truth and cases, and audits the statements.
func verdictsOf(ctx context.Context, net *bn.Network, compiled *learn.Compiled, n int, src *rand.PCG) (map[int]string,
	error) {
	rng := rand.New(src)
	truth := net.Clone()
	var drawn []int
	for i, name := range []string{"influence", "equality", "bound"} {
		var of []int
		for t := range verdictTruths {
			if verdictTruths[t].statement == name {
				of = append(of, t)
			}
		}
		at := of[rng.IntN(len(of))]
		drawn = append(drawn, at)
		v, err := truth.Index([]string{"y", "z", "w"}[i])
		if err != nil {
			return nil, err
		}
		for config, p := range verdictTruths[at].yes {
			copy(truth.CPT(v).Row(config), []float64{1 - p, p})
		}
	}
	table, err := data.Sample(truth, n, src)
	if err != nil {
		return nil, err
	}
	counts, err := table.Count(net, &data.CountOptions{Workers: 1})
	if err != nil {
		return nil, err
	}
	fit, err := compiled.Fit(counts, nil)
	if err != nil {
		return nil, err
	}
	verdicts, err := fit.Audit(ctx, &learn.AuditSettings{Simulations: 200, Seed: src.Uint64()})
	if err != nil {
		return nil, err
	}
	words := make(map[int]string, len(drawn))
	for i, v := range verdicts {
		words[drawn[i]], _, _ = strings.Cut(v.Words, ":")
	}
	return words, nil
}

// countVerdicts counts the words at one number of cases.
func countVerdicts(n int, said []map[int]string) []VerdictRate {
	var rates []VerdictRate
	for t, truth := range verdictTruths {
		audits := 0
		times := make(map[string]int)
		for _, words := range said {
			if word, ok := words[t]; ok {
				audits++
				times[word]++
			}
		}
		for _, word := range verdictWords {
			r := VerdictRate{Statement: truth.statement, Truth: truth.truth, Cases: n, Word: word, Audits: audits}
			if audits > 0 {
				r.Said = float64(times[word]) / float64(audits)
				r.StdErr = math.Sqrt(r.Said * (1 - r.Said) / float64(audits))
			}
			rates = append(rates, r)
		}
	}
	return rates
}

// String is a row as a sentence.
func (r VerdictRate) String() string {
	return fmt.Sprintf("n = %d: %q is said of an %s that is %s in %.3f of %d audits", r.Cases, r.Word, r.Statement,
		r.Truth, r.Said, r.Audits)
}
