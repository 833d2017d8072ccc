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
	"bnlab/bnkit/constraint"
)

// clinic has tables of up to six rows and a regression with two weights in each of two
// configurations.
func clinic(t testing.TB) *bn.Network {
	t.Helper()
	return must[*bn.Network](t)(
		bn.New("[smoker][sex][risk|smoker:sex][pulse|smoker:sex][pain][dose][age][score|smoker:dose:age]",
			bn.Discrete("smoker", "no", "yes"), bn.Discrete("sex", "f", "m", "x"),
			bn.Discrete("risk", "low", "mid", "high"), bn.Discrete("pulse", "low", "mid", "high"),
			bn.Discrete("pain", "none", "dull", "sharp", "worst"),
			bn.Continuous("dose"), bn.Continuous("age"), bn.Continuous("score")))
}

func TestCheck(t *testing.T) {
	const inThree = "holds in each of 3 rows, whatever sex is, not only on average; for one row, name all parents " +
		"in Given"
	net := clinic(t)
	cap := constraint.AtMost{Var: "risk", States: []string{"high"}, P: 0.3}
	loose := constraint.AtMost{Var: "risk", Given: bn.Given{"smoker": "no"}, States: []string{"high"}, P: 0.5}
	odds := constraint.Formula{Text: "smoking doubles the odds",
		Cells: []constraint.Cell{{Var: "risk", State: "high", Given: bn.Given{"smoker": "no", "sex": "f"}},
			{Var: "risk", State: "high", Given: bn.Given{"smoker": "yes", "sex": "f"}}},
		AtMost: []constraint.Function{{Value: func(x []float64) float64 { return 2*x[0]*(1-x[1]) - x[1]*(1-x[0]) }}}}
	rises := constraint.Influence{Parent: "smoker", Child: "risk"}
	falls := constraint.Influence{Parent: "smoker", Child: "risk", Sign: constraint.Negative,
		Given: bn.Given{"sex": "f"}}
	elsewhere := constraint.Influence{Parent: "smoker", Child: "risk", Given: bn.Given{"sex": "m"}}
	down := constraint.Influence{Parent: "sex", Child: "risk", Sign: constraint.Negative, Over: []string{"f", "m"}}
	up := constraint.Influence{Parent: "sex", Child: "risk", Over: []string{"m", "x"}}
	const opposed = "together with the influence of the other sign: no influence at all, wherever both apply"
	const forced = "with the others it can hold with equality only: together they say that something has no effect " +
		"or a known value"
	for _, tt := range []struct {
		name       string
		statements []constraint.Constraint
		want       [][]string // sentence, class, distributions, method, note
	}{
		{"none", nil, nil},
		{"sharing", []constraint.Constraint{
			constraint.ShareAcross{Var: "risk", ForEach: []string{"sex"}},
			constraint.ShareStates{Var: "sex", Groups: [][]string{{"f", "m"}}},
		}, [][]string{
			{"for each sex, the distribution of risk is the same whatever the other parents",
				"6 sharing over distributions", "6", "closed form", ""},
			{"P(sex=f) = P(sex=m)", "2 sharing in one distribution", "1", "closed form", ""},
		}},
		{"one follows", []constraint.Constraint{loose, cap}, [][]string{
			{"P(risk=high | smoker=no) ≤ 0.5", "11 upper bound on a sum", "3", "closed form",
				"cannot matter: it follows from the others; " + inThree},
			{"P(risk=high) ≤ 0.3", "11 upper bound on a sum", "6", "closed form",
				"holds in each of 6 rows, whatever smoker, sex are, not only on average; for one row, name all " +
					"parents in Given"},
		}},
		{"nothing said", []constraint.Constraint{constraint.OrderSums{Var: "risk",
			Groups: [][]string{{"high"}, {"mid", "high"}}}}, [][]string{
			{"P(risk=high) ≤ P(risk in {mid, high})", "10 inequality between sums", "0", "",
				"says nothing: it holds of all distributions"},
		}},
		{"both signs", []constraint.Constraint{rises, &falls, constraint.Influence{Parent: "sex", Child: "risk"}},
			[][]string{
				{"higher states of smoker make higher states of risk more likely", "qualitative influence (W00)", "6",
					"Newton by blocks", opposed},
				{"higher states of smoker make lower states of risk more likely wherever sex=f",
					"qualitative influence (W00)", "2", "Newton by blocks", opposed},
				{"higher states of sex make higher states of risk more likely", "qualitative influence (W00)", "6",
					"Newton by blocks", ""},
			}},
		{"both signs, never together", []constraint.Constraint{elsewhere, &falls}, [][]string{
			{elsewhere.String(), "qualitative influence (W00)", "2", "Newton by blocks", ""},
			{falls.String(), "qualitative influence (W00)", "2", "Newton by blocks", ""},
		}},
		{"a U-shape", []constraint.Constraint{down, up}, [][]string{
			{"higher states of sex among f and m make lower states of risk more likely",
				"qualitative influence (W00)", "4", "Newton by blocks", ""},
			{"higher states of sex among m and x make higher states of risk more likely",
				"qualitative influence (W00)", "4", "Newton by blocks", ""},
		}},
		{"both signs over two states", []constraint.Constraint{down,
			constraint.Influence{Parent: "sex", Child: "risk"}},
			[][]string{
				{down.String(), "qualitative influence (W00)", "4", "Newton by blocks", opposed},
				{"higher states of sex make higher states of risk more likely", "qualitative influence (W00)", "6",
					"Newton by blocks", opposed},
			}},
		{"a circle", []constraint.Constraint{
			constraint.OrderSums{Var: "sex", Groups: [][]string{{"f"}, {"m"}}},
			constraint.AtLeast{Var: "sex", States: []string{"f"}, P: 0.5}}, [][]string{
			{"P(sex=f) ≤ P(sex=m)", "10 inequality between sums", "1", "dual Newton or interior point", forced},
			{"P(sex=f) ≥ 0.5", "11 lower bound on a sum", "1", "dual Newton or interior point", forced},
		}},
		{"nonlinear", []constraint.Constraint{odds}, [][]string{
			{"smoking doubles the odds", "nonlinear", "2", "augmented Lagrangian",
				"not concave: searched from several starts, and the best end may be a local maximum"},
		}},
		{"weights among tables", []constraint.Constraint{
			constraint.ShareWeights{Var: "score", Groups: [][]string{{"dose", "age"}}}, loose, cap,
		}, [][]string{
			{"the weights of dose and age for score are equal", "12 equal weights", "2", "least squares", ""},
			{"P(risk=high | smoker=no) ≤ 0.5", "11 upper bound on a sum", "3", "closed form",
				"cannot matter: it follows from the others; " + inThree},
			{"P(risk=high) ≤ 0.3", "11 upper bound on a sum", "6", "closed form",
				"holds in each of 6 rows, whatever smoker, sex are, not only on average; for one row, name all " +
					"parents in Given"},
		}},
		{"a sign of a weight", []constraint.Constraint{
			constraint.SignWeights{Var: "score", Parents: []string{"dose"}, Given: bn.Given{"smoker": "yes"}}},
			[][]string{
				{"the weight of dose for score is positive or 0 given smoker=yes", "signs of weights", "1",
					"least squares within limits", ""},
			}},
		{"weights over configurations", []constraint.Constraint{constraint.ShareWeightsAcross{Var: "score"}},
			[][]string{
				{constraint.ShareWeightsAcross{Var: "score"}.String(), "12 equal weights over distributions", "2",
					"least squares by turns", ""},
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			df := must[dataframe.DataFrame](t)(bnkit.Check(net, tt.statements...))
			if df.Err != nil || df.Nrow() != len(tt.want) {
				t.Fatalf("%d rows, error %v", df.Nrow(), df.Err)
			}
			if diff := cmp.Diff([]string{"statement", "class", "distributions", "method", "note"},
				df.Names()); diff != "" {
				t.Fatal(diff)
			}
			for i, want := range tt.want {
				if diff := cmp.Diff(want, df.Records()[i+1]); diff != "" {
					t.Errorf("row %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

func TestCheckErrors(t *testing.T) {
	net := clinic(t)
	least := constraint.AtLeast{Var: "risk", Given: bn.Given{"smoker": "yes"}, States: []string{"high"}, P: 0.4}
	most := constraint.AtMost{Var: "risk", States: []string{"high"}, P: 0.3}
	same := constraint.ShareStates{Var: "sex", Groups: [][]string{{"f", "m"}}}
	weights := func(scale float64) constraint.Constraint {
		return constraint.ProportionalWeights{Var: "score", Weights: map[string]float64{"dose": 1, "age": scale}}
	}
	for _, tt := range []struct {
		name string
		err  error
		is   error
		says []string
		not  string
	}{
		{"no network", second(bnkit.Check(nil, most)), nil, []string{"no network"}, ""},
		{"no statement", second(bnkit.Check(net, most, nil)), nil, []string{"statement 2"}, ""},
		{"an unknown state", second(bnkit.Check(net, constraint.AtMost{Var: "risk", States: []string{"huge"}, P: 0.3})),
			bn.ErrUnknownState, []string{"huge"}, ""},
		{"a contradiction", second(bnkit.Check(net, same, least, most)), constraint.ErrInfeasible,
			[]string{least.String(), most.String()}, same.String()},
		{"weights that contradict", second(bnkit.Check(net, weights(1), same, weights(2))), constraint.ErrOverlap,
			[]string{weights(1).String(), weights(2).String()}, same.String()},
	} {
		if tt.err == nil || tt.is != nil && !errors.Is(tt.err, tt.is) {
			t.Errorf("%s: error %v", tt.name, tt.err)
			continue
		}
		for _, want := range tt.says {
			if !strings.Contains(tt.err.Error(), want) {
				t.Errorf("%s: %q does not say %q", tt.name, tt.err, want)
			}
		}
		if tt.not != "" && strings.Contains(tt.err.Error(), tt.not) {
			t.Errorf("%s: %q blames what is innocent", tt.name, tt.err)
		}
	}
}

func ExampleCheck() {
	net, err := bn.New("[smoker][cough|smoker]", bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("cough", "none", "dry", "wet"))
	if err != nil {
		fmt.Println(err)
		return
	}
	rare := constraint.AtMost{Var: "cough", States: []string{"dry", "wet"}, P: 0.4}
	rarer := constraint.AtMost{Var: "cough", States: []string{"wet"}, P: 0.5}
	df, err := bnkit.Check(net, rare, rarer)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range df.Records() {
		fmt.Println(strings.TrimRight(strings.Join(row, " | "), " |"))
	}
	_, err = bnkit.Check(net, rare, constraint.Fixed{Var: "cough", Given: bn.Given{"smoker": "yes"},
		P: map[string]float64{"dry": 0.5}})
	fmt.Println(err)
	// Output:
	// statement | class | distributions | method | note
	// P(cough in {dry, wet}) ≤ 0.4 | 11 upper bound on a sum | 2 | closed form with limits | holds in each of 2 rows, whatever smoker is, not only on average; for one row, name all parents in Given
	// P(cough=wet) ≤ 0.5 | 11 upper bound on a sum | 2 | closed form with limits | cannot matter: it follows from the others; holds in each of 2 rows, whatever smoker is, not only on average; for one row, name all parents in Given
	// bnkit: constraint: statements contradict each other: "P(cough in {dry, wet}) ≤ 0.4" and "P(cough=dry | smoker=yes) = 0.5"; change or drop one of them (probabilities would have to be negative)
}

func BenchmarkCheck(b *testing.B) {
	net := clinic(b)
	same := constraint.ShareAcross{Var: "risk", ForEach: []string{"sex"}}
	most := constraint.AtMost{Var: "risk", States: []string{"high"}, P: 0.3}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bnkit.Check(net, same, most); err != nil {
			b.Fatal(err)
		}
	}
}
