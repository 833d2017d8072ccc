package bnkit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
	"bnlab/internal/absent"
)

// Methods describes a fit for the methods section of a paper: cases, gaps and what was done about them, network,
// estimator, priors, statements with sources and strengths, how the estimate was found, what was tested, software, seed
// and the hash of the data. The model is a *Model or a *SeriesModel. Frames of [Audit] and [AuditKnowledge] of this
// model, and of [ScoreTable], add what was tested and validated.
//
//	model, err := bnkit.Fit(ctx, net, df, method, &bnkit.Settings{Knowledge: k})
//	verdicts, err := bnkit.Audit(ctx, model, nil)
//	text, err := bnkit.Methods(model, verdicts)
//	fmt.Println(text)         // or text.LaTeX()
//
// Sources are those of Settings.Knowledge. The version of bnlab is "(devel)" for a checkout: give its commit in the
// paper, what git rev-parse HEAD prints. It says only what the model knows: of one saved by an earlier version, not
// how many cells were missing; of none that a graph was chosen by hand. It returns an error for a model that was not
// fitted, for a frame of another verb and for an audit of other statements, or of those that the model weighs.
func Methods(model fmt.Stringer, tests ...dataframe.DataFrame) (*MethodsText, error) {
	if absent.Is(model) {
		return nil, errNoNetwork
	}
	w := &writer{MethodsText: &MethodsText{}}
	switch m := model.(type) {
	case interface{ model() *Model }: // also of a type that embeds one
		w.from(m.model().Result, m.model().provenance)
		w.hash, w.seed, w.steps, w.prior = m.model().DataHash, m.model().Seed, m.model().Discretization, m.model().prior
	case interface{ saved() *SeriesModel }:
		s := m.saved()
		if s.Fitted == nil || s.Net == nil {
			return nil, errNoDynamic
		}
		w.from(s.Result, s.provenance)
		template := &Model{Result: s.Result}
		w.hash, w.seed, w.steps, w.series, w.prior = s.DataHash, s.Seed, s.Discretization, s.Fitted, template.prior
	default:
		return nil, fmt.Errorf("bnkit: Methods is about a *Model or a *SeriesModel, not a %T", model)
	}
	if w.fit == nil || w.fit.Net == nil || len(w.fit.Trace) == 0 {
		return nil, errors.New("bnkit: the model was not fitted to cases; use Fit")
	}
	w.data()
	w.gaps()
	w.estimation()
	w.priors()
	w.statements()
	w.found()
	for _, df := range tests {
		if err := w.tested(df); err != nil {
			return nil, err
		}
	}
	w.software()
	return w.MethodsText, nil
}

// A MethodsText is a paragraph of a paper, from [Methods].
type MethodsText struct{ runs []run }

// A run is text of one kind: of the sentence, or to be set as code.
type run struct {
	text string
	code bool
}

// String returns the paragraph as plain text, in one line.
func (t *MethodsText) String() string {
	var b strings.Builder
	for _, r := range t.runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// LaTeX returns the paragraph for a LaTeX document in UTF-8; it needs no package. Names are escaped, structures and
// hashes are set in \texttt with places to break a line.
func (t *MethodsText) LaTeX() string {
	var b strings.Builder
	for _, r := range t.runs {
		if r.code {
			b.WriteString(`\texttt{` + breakable(r.text) + `}`)
		} else {
			b.WriteString(latex.Replace(r.text))
		}
	}
	return b.String()
}

// latex escapes what LaTeX reads as a command, and writes signs of mathematics and Greek letters as formulas.
var latex = strings.NewReplacer(slices.Concat([]string{`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`,
	`\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`,
	`>`, `\textgreater{}`, `|`, `\textbar{}`, `"`, `''`, "`", `\textasciigrave{}`, `--`, `-{}-`, "\n", ` `, "\t", ` `,
	"\r", ` `, `≤`, `$\le$`, `≥`, `$\ge$`, `≠`, `$\ne$`, `−`, `$-$`, `×`, `$\times$`, `·`, `$\cdot$`, `→`, `$\to$`,
	`∞`, `$\infty$`, `…`, `\ldots{}`}, greek())...)

// greek are pairs of letters and formulas; letters that look Latin have none.
func greek() (pairs []string) {
	for letter, name := range map[string]string{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta",
		"ε": "varepsilon",
		"ζ": "zeta", "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
		"ν": "nu",
		"ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi",
		"ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi",
		"Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"} {
		pairs = append(pairs, letter, `$\`+name+`$`)
	}
	return pairs
}

// breakable escapes code and lets a line break behind brackets and within long words.
func breakable(code string) string {
	var b strings.Builder
	since := 0
	for _, r := range code {
		b.WriteString(latex.Replace(string(r)))
		if since++; strings.ContainsRune("]|:", r) || since == 16 {
			b.WriteString(`\allowbreak{}`)
			since = 0
		}
	}
	return strings.TrimSuffix(b.String(), `\allowbreak{}`)
}

// A writer makes the paragraph of a fit.
type writer struct {
	*MethodsText
	fit    *learn.Result
	known  *provenance // nil for an unknown one
	series *dbn.Fitted // nil for single cases
	hash   string
	seed   uint64
	steps  *data.Discretization
	prior  func() []float64
}

func (w *writer) from(r *learn.Result, p *provenance) { w.fit, w.known = r, p }

// say adds a sentence, or a part of one.
func (w *writer) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if n := len(w.runs); n > 0 && strings.HasSuffix(w.runs[n-1].text, ".") && !w.runs[n-1].code {
		text = " " + text
	}
	w.runs = append(w.runs, run{text: text})
}

// code adds code.
func (w *writer) code(text string) { w.runs = append(w.runs, run{text, true}) }

// estimator is the type of the method, "" where it is not known.
func (w *writer) estimator() string {
	if w.known == nil {
		return ""
	}
	return w.known.Estimator
}

// and lists words: "a", "a and b", "a, b and c".
func and(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// are is the verb of n things.
func are(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// spread is one number, or the range of several.
func spread(x []float64) string {
	lo, hi := slices.Min(x), slices.Max(x)
	if hi-lo <= 1e-9*max(1, hi) {
		return fmt.Sprintf("%.6g", lo)
	}
	return fmt.Sprintf("%.6g to %.6g", lo, hi)
}
