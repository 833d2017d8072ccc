package bnkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
)

// staged are sixty, of whom gaps lack their stage.
func staged(gaps int) dataframe.DataFrame {
	var stage, relapses []string
	for i := range 60 {
		stage = append(stage, []string{"I", "II"}[i/30])
		relapses = append(relapses, []string{"no", "no", "yes", "no", "yes"}[i%5])
		if i < gaps {
			stage[i] = ""
		}
	}
	return dataframe.New(series.New(stage, series.String, "stage"), series.New(relapses, series.String, "relapse_50%"))
}

const relapseFile = `
network: "[stage][relapse_50%|stage]"
variables:
  - {name: stage, states: [I, II]}
  - {name: relapse_50%, states: [no, yes]}
statements:
  - influence: {parent: stage, child: relapse_50%, sign: positive}
    source: "tumour board, 3 & 4"
    strength: likely
`

func ExampleMethods() {
	k, err := knowledge.Parse("relapse.yaml", []byte(relapseFile))
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := k.Network()
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := bnkit.Fit(context.Background(), net, staged(0),
		learn.MAP{Pseudocount: 1, Constraints: k.Statements()}, &bnkit.Settings{Knowledge: k})
	if err != nil {
		fmt.Println(err)
		return
	}
	verdicts, err := bnkit.Audit(context.Background(), model, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := bnkit.Methods(model, verdicts)
	if err != nil {
		fmt.Println(err)
		return
	}
	sentences, _, _ := strings.Cut(text.String(), " Computations were made with") // a version, which changes
	line := ""
	for _, word := range strings.Fields(sentences) {
		if line += " " + word; len(line) > 90 {
			fmt.Println(line[1:])
			line = ""
		}
	}
	fmt.Println(line[1:])
	fmt.Println(regexp.MustCompile(`likely \(.*?\)`).FindString(text.LaTeX()))
	// Output:
	// A Bayesian network of 2 discrete variables was fitted to 60 cases. Its structure was [stage][relapse_50%|stage].
	// No value was missing. Parameters were estimated by maximum a posteriori (the mode of the posterior).
	// The prior of each row of a conditional probability table was a Dirichlet distribution with
	// a parameter of 2 for each state: the mode adds 1 case to each count. Priors were restricted
	// to the parameters that obey the statements below. The estimate was constrained by 1 statement,
	// imposed exactly: (1) higher states of stage make higher states of relapse_50% more likely (source:
	// tumour board, 3 & 4; strength 0.8). The strengths, which are probabilities that a statement
	// is true, were not used. The maximum under the statements was certified to be global. The model
	// has 2 free parameters. 1 statement was tested against the data, given the others, by a likelihood-ratio
	// test (chi-bar-square); p-values were adjusted for the number of statements by Holm's method.
	// The smallest adjusted p-value is 1, of statement 1.
	// likely (source: tumour board, 3 \& 4; strength 0.8)
}

// fitText fits and describes.
func fitText(t *testing.T, net *bn.Network, df dataframe.DataFrame, m learn.Method, set *bnkit.Settings) string {
	t.Helper()
	model, err := bnkit.Fit(context.Background(), net, df, m, set)
	if err != nil {
		t.Fatal(err)
	}
	text, err := bnkit.Methods(model)
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestMethodsSays(t *testing.T) {
	k := parse(t, relapseFile)
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	numbers := dataframe.New(series.New([]float64{1, 2, 3, 4, 6}, series.Float, "dose"),
		series.New([]float64{2, 4, 5, 8, 13}, series.Float, "effect"))
	line, err := bnkit.NewNetwork("[dose][effect|dose]", numbers, nil)
	if err != nil {
		t.Fatal(err)
	}
	latent, err := bnkit.NewNetwork("[type][stage|type][relapse_50%|type]", staged(0),
		&bnkit.NetworkOptions{Hidden: map[string][]string{"type": {"1", "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	statements := k.Statements()
	for _, c := range []struct {
		name  string
		net   *bn.Network
		df    dataframe.DataFrame
		by    learn.Method
		set   *bnkit.Settings
		want  []string
		never []string
	}{
		{"ML", net, staged(0), learn.ML{}, nil,
			[]string{"fitted to 60 cases", "No value was missing", "by maximum likelihood."},
			[]string{"prior", "statement", "seed", "NaN"}},
		// Nine of sixty are 15 %.
		{"left out", net, staged(9), learn.MAP{Pseudocount: 1}, &bnkit.Settings{SkipMissing: true},
			[]string{"Of 60 rows 9 (15 %) had a missing value (missing values by variable: stage 9).",
				"left out by variable: stage 9, relapse_50% 9", "parameter of 2 for each state: the mode adds 1 case "},
			[]string{"missing at random"}},
		{"EM", net, staged(9), learn.EM{Pseudocount: 0.5, Constraints: statements}, &bnkit.Settings{Knowledge: k},
			[]string{"9 (15 %)", "likelihood sums over missing values", "missing at random",
				"maximum a posteriori", "expectation-maximisation", "(1) higher states of stage",
				"(source: tumour board, 3 & 4; strength 0.8)", "were not used", "converged after"},
			[]string{"left out", "certified"}},
		{"Gibbs", net, staged(9), learn.Gibbs{Sweeps: 200}, &bnkit.Settings{Seed: 7},
			[]string{"drawn together with the parameters", "200 sweeps after 100 of burn-in", "seed of random " +
				"numbers was 7",
				"parameter 1 for each state, which adds one case"}, []string{"converged", "sums over"}},
		{"Averaged", net, staged(0), learn.Averaged{Constraints: statements, Strengths: k.Strengths()}, nil,
			[]string{"averaged over which of the statements are imposed", "1 statement was weighed", "strength 0.8;",
				"Who states them was not recorded", "poor with the prior probability 0.2"}, []string{"imposed " +
				"exactly"}},
		{"BDeu", net, staged(0), learn.BDeu{EquivalentSampleSize: 4}, nil,
			// 4/2 for each state of stage, 4/4 for each of relapse.
			[]string{"the mean adds 1 to 2 cases to each count, 4 in all to each table"}, nil},
		{"APN", net, staged(0), learn.APN{Targets: []string{"relapse_50%"}}, nil,
			[]string{"conditional likelihood of relapse_50% given all other variables"}, nil},
		{"penalty", net, staged(0), learn.EM{Constraints: statements, ViolationWeight: 2}, nil,
			[]string{"by a penalty of 2 nats"}, nil},
		{"price", net, staged(0), learn.MAP{Constraints: []constraint.Constraint{constraint.AtPrice{
			Statement: statements[0], Price: 3}}}, nil, []string{"but for those with a price"}, nil},
		{"linear", line, numbers, learn.ML{}, nil,
			[]string{"2 continuous variables was fitted to 5 cases", "linear-Gaussian model), and fitted by least " +
				"squares."},
			[]string{"table"}},
		{"linear with a prior", line, numbers, learn.MAP{Gaussian: &constraint.GaussianPrior{Shape: 2, Scale: 3,
			Precision: 1}}, nil, []string{"for dose and effect an inverse-gamma prior of the variance with the " +
			"shape 2 and " +
			"the scale 3"}, nil},
		{"latent", latent, staged(0), learn.EM{}, &bnkit.Settings{Seed: 3},
			[]string{"type is latent: no case observes it. The labels of latent states are arbitrary",
				"No value of the other variables was missing",
				"best of 5 starts", "seed of random numbers was 3"}, []string{"missing at random"}},
		{"unseen", net, staged(0).Subset([]int{0, 1, 2}), learn.ML{}, nil,
			// All are of stage I: the row of II is open, and II is never seen.
			[]string{"the data do not determine 1, wholly", "In 1 distribution states that were never seen"}, nil},
		{"Averaged with gaps", net, staged(9), learn.Averaged{Constraints: statements}, &bnkit.Settings{Seed: 5},
			[]string{"drawn together with the parameters", "seed of random numbers was 5"}, []string{"sums over"}},
	} {
		got := fitText(t, c.net, c.df, c.by, c.set)
		for _, want := range append(c.want, "SHA-256", "bnlab (devel) and Go "+strings.TrimPrefix(runtime.Version(),
			"go")) {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
		for _, never := range c.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q in\n%s", c.name, never, got)
			}
		}
	}
}

func TestMethodsOfUpdate(t *testing.T) {
	k := parse(t, relapseFile)
	net := must[*bn.Network](t)(k.Network())
	all := staged(0)
	first, later := all.Subset([]int{0, 1, 2, 3, 4, 30, 31, 32, 33, 34}), all.Subset([]int{5, 6, 7, 35})
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, first, learn.MAP{Pseudocount: 1}, nil))
	for fading, want := range map[float64]string{0: "fitted to 14 cases", 0.5: "fitted to 9 cases"} { // 10/2 + 4
		u := must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, later, &bnkit.UpdateSettings{Fading: fading}))
		text := must[*bnkit.MethodsText](t)(bnkit.Methods(u)).String()
		if !strings.Contains(text, want) || !strings.Contains(text, "hashes (first fit and updates)") ||
			strings.Contains(text, "multiplied by 0.5 (14 rows without that)") != (fading != 0) {
			t.Errorf("fading %v: %s", fading, text)
		}
	}
}

func TestMethodsOfSeries(t *testing.T) {
	truth, err := umbrellas()
	if err != nil {
		t.Fatal(err)
	}
	df, err := bnkit.SampleSeries(truth, []int{30, 20}, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", truth.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	model, err := bnkit.FitSeries(context.Background(), net, df.Drop("rain"), learn.EM{Pseudocount: 1},
		&bnkit.Settings{Seed: 2, Hidden: []string{"rain"}})
	if err != nil {
		t.Fatal(err)
	}
	var kept []int // rows, without two times in the middle of a series
	for i := range df.Nrow() {
		if i != 5 && i != 40 {
			kept = append(kept, i)
		}
	}
	holed, err := bnkit.FitSeries(context.Background(), net, df.Subset(kept), learn.EM{Pseudocount: 1},
		&bnkit.Settings{Seed: 2, Step: 1})
	if err != nil {
		t.Fatal(err)
	}
	const between = "with 48 time points in all, and 2 between them of which nothing was observed."
	if text, err := bnkit.Methods(holed); err != nil || !strings.Contains(text.String(), between) {
		t.Errorf("%v; no %q in\n%s", err, between, text)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.SaveSeries(path, model); err != nil {
		t.Fatal(err)
	}
	again, err := bnkit.LoadSeries(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*bnkit.SeriesModel{model, again} {
		text, err := bnkit.Methods(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"A hidden Markov model of 2 discrete variables was fitted to 2 series with " +
			"50 time " +
			"points in all", "[rain|rain[t-1]][umbrella|rain]", "rain is latent", "the mode adds 1 case"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}

// With gaps a statement that costs nothing needs no simulation, and so no way of its own among those of the tests.
func TestMethodsOfTests(t *testing.T) {
	k := parse(t, relapseFile+"  - at-most: {of: relapse_50%, given: {stage: I}, states: [yes], p: 0.3}\n")
	net := must[*bn.Network](t)(k.Network())
	model, err := bnkit.Fit(context.Background(), net, staged(9), learn.EM{Constraints: k.Statements()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := must[dataframe.DataFrame](t)(bnkit.Audit(context.Background(), model,
		&learn.AuditSettings{Simulations: 99, Seed: 1}))
	text := must[*bnkit.MethodsText](t)(bnkit.Methods(model, verdicts))
	if want := "by a likelihood-ratio test (EM, bootstrap of 99);"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s\nof %v", want, text, verdicts.Col("method"))
	}
}

// A program that replaces bnlab by a folder, as docs/program.md says, has any version in its go.mod: it is none.
func TestVersionOfReplacement(t *testing.T) {
	for want, m := range map[string]debug.Module{
		"(devel)": {Version: "v0.0.0", Replace: &debug.Module{Path: "/path/to/bnlab"}},
		"v0.2.0":  {Version: "v0.2.0"},
		"v0.2.1":  {Version: "v0.2.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v0.2.1"}},
	} {
		m.Path = "bnlab"
		if got := bnkit.VersionOf(&debug.BuildInfo{Deps: []*debug.Module{&m}}); got != want {
			t.Errorf("version %s of %+v, want %s", got, m, want)
		}
	}
}

// An audit of statements that the model weighs is of another model; there is none of this one to ask for.
func TestMethodsOfWeighedAudit(t *testing.T) {
	k := parse(t, relapseFile)
	model, err := bnkit.Fit(context.Background(), must[*bn.Network](t)(k.Network()), staged(0),
		learn.Averaged{Constraints: k.Statements()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(context.Background(), k, staged(0), nil))
	if _, err := bnkit.Methods(model, verdicts); err == nil || !strings.Contains(err.Error(), "leave the audit out") {
		t.Errorf("error %v", err)
	}
}

// A model tells the same from a file, which is the same on each day of SOURCE_DATE_EPOCH.
func TestProvenanceIsSaved(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	k := parse(t, relapseFile)
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	model, err := bnkit.Fit(context.Background(), net, staged(9),
		learn.EM{Constraints: k.Statements()}, &bnkit.Settings{Knowledge: k})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, model); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Provenance map[string]any `json:"provenance"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"bnlab": "(devel)", "go": runtime.Version(), "date": "1970-01-02",
		"estimator": "EM", "rows": 60.0, "incomplete_rows": 9.0} {
		if file.Provenance[name] != want {
			t.Errorf("%s is %v, want %v", name, file.Provenance[name], want)
		}
	}
	again, err := bnkit.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	before, err := bnkit.Methods(model)
	if err != nil {
		t.Fatal(err)
	}
	after, err := bnkit.Methods(again)
	if err != nil {
		t.Fatal(err)
	}
	if before.LaTeX() != after.LaTeX() {
		t.Errorf("%s\nbefore it was saved, and after it\n%s", before, after)
	}

	// A file of an earlier version has no provenance.
	var old map[string]any
	if err := json.Unmarshal(b, &old); err != nil {
		t.Fatal(err)
	}
	delete(old, "provenance")
	if b, err = json.Marshal(old); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err = bnkit.Load(path); err != nil {
		t.Fatal(err)
	}
	text, err := bnkit.Methods(again)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Some values were missing.", "estimated by EM, maximum likelihood",
		"Who states them was not recorded."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text.String(), "(devel)") {
		t.Errorf("an old file tells its version: %s", text)
	}
}

func TestMethodsErrors(t *testing.T) {
	k := parse(t, relapseFile)
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	free, err := bnkit.Fit(context.Background(), net, staged(0), learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := bnkit.Fit(context.Background(), net, staged(0), learn.ML{Constraints: k.Statements()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := bnkit.Audit(context.Background(), bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	cv, err := bnkit.CrossValidate(context.Background(), net, staged(0), "relapse_50%",
		[]validate.Learner{{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}},
		&validate.Settings{Seed: 1, Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	text, err := bnkit.Methods(bound, verdicts, bnkit.ScoreTable(cv))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 statement was tested", "Holm's method", "cross-validation with 3 folds: free " +
		"(maximum a " +
		"posteriori, pseudocount 1): log score -0."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for want, of := range map[string]struct {
		model fmt.Stringer
		test  []dataframe.DataFrame
	}{
		"no network":                {model: (*bnkit.Model)(nil)},
		"not fitted to cases":       {model: bnkit.ModelOf(net)},
		"not a *bn.Network":         {model: net},
		"no statement of the model": {free, []dataframe.DataFrame{verdicts}},
		"not one with the columns":  {free, []dataframe.DataFrame{staged(0)}},
		"has no rows":               {free, []dataframe.DataFrame{{}}},
	} {
		if _, err := bnkit.Methods(of.model, of.test...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Names in LaTeX are what they were: each command is one of those that escape.
func TestMethodsEscapes(t *testing.T) {
	k := parse(t, strings.ReplaceAll(relapseFile, "tumour board, 3 & 4", `a\\b {c} $d_e$ ~^#%<|> ≤ Δθ …`))
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	model, err := bnkit.Fit(context.Background(), net, staged(0), learn.ML{Constraints: k.Statements()},
		&bnkit.Settings{Knowledge: k})
	if err != nil {
		t.Fatal(err)
	}
	text, err := bnkit.Methods(model)
	if err != nil {
		t.Fatal(err)
	}
	want := `(source: a\textbackslash{}b \{c\} \$d\_e\$ \textasciitilde{}\textasciicircum{}\#\%\textless{}` +
		`\textbar{}\textgreater{} $\le$ $\Delta$$\theta$ \ldots{}; strength 0.8)`
	if got := text.LaTeX(); !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
	if got := text.LaTeX(); !strings.Contains(got,
		`\texttt{[stage]\allowbreak{}[relapse\_50\%\textbar{}\allowbreak{}stage]}`) {
		t.Errorf("the structure is\n%s", got)
	}
}
