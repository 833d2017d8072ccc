package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/constraint"
	"bnlab/internal/english"
)

// String reports the fit in a few lines: the method, the size of network and data, the free
// parameters with [Result.AIC] and [Result.BIC] where there are such, how the
// distributions that statements link were found and what is proven about them, and what is
// not to be taken at face value. Equal lines are counted, so that a thousand groups of
// distributions do not make a thousand lines.
func (r *Result) String() string {
	if r == nil || r.Net == nil {
		return "no network"
	}
	lines := []string{r.Method, english.Count(r.Net.Len(), "variable")}
	if len(r.Trace) > 0 {
		what := ""
		if len(r.Targets) > 0 {
			what = " of all variables"
		}
		lines[1] += fmt.Sprintf(", %.6g cases, log-likelihood%s %.6g nats", r.Cases, what, r.logLikelihood())
		lines = append(lines, r.criteria()...)
	}
	if text := r.leftOut(); text != "" {
		lines = append(lines, text)
	}
	if len(r.Hidden) > 0 {
		lines = append(lines, "never observed: "+strings.Join(r.Hidden, ", "))
	}
	if names := r.Interchangeable(); len(names) > 0 {
		lines = append(lines, fmt.Sprintf("nothing says which state of %s is which, so their names may have changed "+
			"places; an influence says it", strings.Join(names, ", ")))
	}
	if n := len(r.Trace); n > 1 || n == 1 && r.Status != Converged && r.Means == nil {
		lines = append(lines, r.ended(r.Trace[n-1].Iteration))
	}
	if n := len(r.Failed); n > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s failed, the first by: %s", n, english.Count(r.Starts, "start"),
			r.Failed[0]))
	}
	for _, family := range r.CPDs {
		lines = append(lines, family.String())
	}
	if r.Means != nil {
		line := "tables: posterior means, by closed forms"
		if r.Means.StdErr > 0 {
			line = fmt.Sprintf("tables: posterior means, partly by draws (standard error at most %.1g)", r.Means.StdErr)
		}
		if r.Expected {
			line += "; missing cells drawn with them"
		}
		if r.Status == Interrupted {
			line += ", interrupted before all were made"
		}
		lines = append(lines, line)
	}
	if r.Weighing != nil && len(r.Weighing.Statements) > 0 {
		lines = append(lines, r.Weighing.lines()...)
	}
	if r.Solution != nil {
		if r.Expected && len(r.Solution.Parts) > 0 {
			lines = append(lines, "the last step, given the expected counts (a maximum over all iterations is local):")
		}
		lines = append(lines, r.solved()...)
	}
	for _, s := range r.Statements {
		if _, ok := incomplete(s); ok {
			lines = append(lines, fmt.Sprintf("%q has lost its functions, which files do not hold; the tables were "+
				"fitted under it", s))
		}
	}
	for _, s := range r.Statements {
		_, note := constraint.Describe(r.Net, s)
		if line := fmt.Sprintf("%q: %s", s, note); note != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(append(lines, r.flagged()...), "\n")
}

// leftOut says how many cases the tables of some variables lack for missing cells.
func (r *Result) leftOut() string {
	var parts []string
	for v, weight := range r.Skipped {
		if weight > 0 {
			parts = append(parts, fmt.Sprintf("%.6g of %s", weight, r.Net.Variable(v).Name))
		}
	}
	const most = 12
	if n := len(parts); n > most {
		parts = append(parts[:most], fmt.Sprintf("… %d more variables", n-most))
	}
	if len(parts) == 0 {
		return ""
	}
	return "left out for missing cells: " + strings.Join(parts, ", ")
}

// ended says why an iteration ended, and which of the starts it is of.
func (r *Result) ended(iterations int) string {
	after := "after " + english.Count(iterations, "iteration")
	status := r.Status
	if 0 < r.Best && r.Best <= len(r.Ends) {
		status = r.Ends[r.Best-1].Status
	}
	var end string
	switch status {
	case Converged:
		end = "converged " + after
	case HeldOutFalls:
		end = fmt.Sprintf("stopped %s: the likelihood of the held-out cases rises no more; the tables are of "+
			"iteration %d", after, r.Kept)
	case Interrupted:
		end = "interrupted " + after
	case Sampled:
		end = "made " + english.Count(iterations, "sweep") + ", burn-in included"
	default:
		end = "stopped " + after + ", before it converged"
	}
	if r.Starts > 1 {
		which := "the"
		if len(r.Ends) > 1 {
			which = fmt.Sprintf("start %d, the", r.Best)
		}
		end += fmt.Sprintf("; %s best of %d starts, of which %d came within %v nats of it", which, r.Starts,
			r.Agreed, agreement)
	}
	all := 0
	for _, e := range r.Ends {
		all += e.Iterations
	}
	if len(r.Ends) > 1 {
		end += "; " + english.Count(all, "iteration") + " in all"
	}
	if r.Status == Interrupted && r.Planned > 1 {
		end = fmt.Sprintf("interrupted at start %d of %d; the tables: %s", r.Starts, r.Planned, end)
	}
	return end
}

// criteria has a line for the free parameters, where they can be counted.
func (r *Result) criteria() []string {
	k, err := r.FreeParameters()
	if err != nil {
		return nil
	}
	line := english.Count(k, "free parameter")
	if r.Cases > 0 && len(r.Targets) == 0 {
		line += fmt.Sprintf(", AIC %.6g", r.criterion(k, 2))
		if r.Cases >= 1 {
			line += fmt.Sprintf(", BIC %.6g", r.criterion(k, math.Log(r.Cases)))
		}
	}
	return []string{line}
}

// solved has a line for the distributions on their own and one for each way in which groups
// of linked ones were found, the least certain first.
func (r *Result) solved() []string {
	alone, regressions := 0, 0
	for v := range r.Net.Len() {
		if t := r.Net.CPT(v); t != nil {
			alone += t.Configs().Len()
		} else {
			regressions += r.Net.Gaussian(v).Configs().Len()
		}
	}
	var ways []way
	for _, p := range r.Solution.Parts {
		alone -= len(p.Rows)
		certificate := p.Certificate()
		at := slices.IndexFunc(ways, func(w way) bool { return w.method == p.Method && w.certificate == certificate })
		if at < 0 {
			at = len(ways)
			ways = append(ways, way{method: p.Method, certificate: certificate, agreed: p.Agreed})
		}
		ways[at].add(p)
	}
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(b.certificate, a.certificate) })
	var lines []string
	for _, w := range ways {
		lines = append(lines, w.String())
	}
	if alone > 0 {
		lines = append(lines, english.Count(alone, "distribution")+" under no statement: closed form")
	}
	if regressions > 0 {
		lines = append(lines, english.Count(regressions, "linear regression")+": least squares")
	}
	return lines
}

// String prints the parameters, as in "noisy-OR of cough: link smoke 0.8, leak 0.1".
func (f FittedCPD) String() string {
	parts := make([]string, len(f.Names))
	for i, name := range f.Names {
		parts[i] = fmt.Sprintf("%s %.4g", name, f.Values[i])
	}
	const most = 12
	if n := len(parts); n > most {
		parts = append(parts[:most], fmt.Sprintf("… %d more", n-most))
	}
	return f.Family + ": " + strings.Join(parts, ", ")
}

// A way is how some groups of linked distributions were found.
type way struct {
	method         string
	certificate    string // "stationary …", "local …", "global …", which stand in the opposite order
	groups, rows   int
	gap            float64 // of all
	residual       float64 // the largest
	starts, agreed int     // agreed is the smallest
}

func (w *way) add(p constraint.Part) {
	w.groups++
	w.rows += len(p.Rows)
	w.gap += p.Gap
	w.residual = max(w.residual, p.Residual)
	w.starts, w.agreed = max(w.starts, p.Starts), min(w.agreed, p.Agreed)
}

// String prints a line such as "6 distributions in 2 groups: dual Newton, global maximum,
// certified (gap 1e-12 nats)".
func (w way) String() string {
	s := fmt.Sprintf("%s in %s: %s, %s", english.Count(w.rows, "distribution"), english.Count(w.groups, "group"),
		w.method,
		w.certificate)
	switch {
	case w.starts > 0:
		s += fmt.Sprintf(" (residual %.1g, %d of %d starts agree)", w.residual, w.agreed, w.starts)
	case w.gap > 0:
		s += fmt.Sprintf(" (gap %.1g nats)", w.gap)
	}
	return s
}

// flagged has a line for each kind of flag.
func (r *Result) flagged() []string {
	var lines []string
	for _, zero := range []bool{false, true} {
		n, first := 0, ""
		for _, f := range r.Flags {
			if f.ZeroProbability == zero {
				if n == 0 {
					first = f.String()
				}
				n += 1 + f.More
			}
		}
		switch {
		case n == 1:
			lines = append(lines, first)
		case n > 1:
			lines = append(lines, fmt.Sprintf("%s; and %d more of this kind", first, n-1))
		}
	}
	return lines
}
