package hierarchy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A table is P(X | parents) of a variable with so many states: rows[config][state], the configurations of the parents
// numbered as by [bn.Configs]. The parents are independent of each other, with the given distributions.
//
// B06 §3.1 measures it by
//
//	NIS    = H(X) / log r                       a table without parents; 1 is uniform,
//	NMIS_j = I(X; parent j) / H(X)              for each parent.
type table struct {
	configs bn.Configs
	prior   [][]float64 // by parent and its state
	states  [][]int     // of the parents, by configuration; one 0 without parents
	weights []float64   // probability of each configuration
	rows    [][]float64
}

// Limits of the search for a table.
const (
	strengthTolerance = 1e-9 // of NIS and NMIS
	steepest          = 1e4  // exponent of a random table
	iterations        = 200  // of the search for a zero
	rounds            = 300  // over the parents
	redraws           = 1000 // of a table that cannot be made strong enough
	parentNIS         = 0.95 // what a table with parents is before they matter
)

// newTable returns a table of uniform rows.
func newTable(arity int, prior [][]float64) (*table, error) {
	cards := make([]int, len(prior))
	for j, p := range prior {
		cards[j] = len(p)
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return nil, err
	}
	t := &table{configs: configs, prior: prior, rows: make([][]float64, configs.Len())}
	for c := range t.rows {
		states, weight := []int{0}, 1.0
		if len(prior) > 0 {
			states = configs.States(nil, c)
			for j, s := range states {
				weight *= prior[j][s]
			}
		}
		t.states, t.weights = append(t.states, states), append(t.weights, weight)
		t.rows[c] = make([]float64, arity)
		for x := range t.rows[c] {
			t.rows[c][x] = 1 / float64(arity)
		}
	}
	return t, nil
}

// clone copies the rows.
func (t *table) clone() *table {
	d := *t
	d.rows = make([][]float64, len(t.rows))
	for c, row := range t.rows {
		d.rows[c] = slices.Clone(row)
	}
	return &d
}

// marginal is P(X).
func (t *table) marginal() []float64 {
	m := make([]float64, len(t.rows[0]))
	for c, w := range t.weights {
		for x, p := range t.rows[c] {
			m[x] += w * p
		}
	}
	return m
}

// given is P(X | parent j), by the parent's state.
func (t *table) given(j int) [][]float64 {
	out := make([][]float64, len(t.prior[j]))
	for s := range out {
		out[s] = make([]float64, len(t.rows[0]))
	}
	for c, w := range t.weights {
		s := t.states[c][j]
		if !(t.prior[j][s] > 0) {
			continue
		}
		for x, p := range t.rows[c] {
			out[s][x] += w / t.prior[j][s] * p
		}
	}
	return out
}

// entropy is −Σ p log p in nats.
func entropy(p []float64) float64 {
	h := 0.0
	for _, x := range p {
		if x > 0 {
			h -= x * math.Log(x)
		}
	}
	return h
}

// nis is the normalised entropy of a table without parents.
func (t *table) nis() float64 { return entropy(t.rows[0]) / math.Log(float64(len(t.rows[0]))) }

// nmis is the normalised information of parent j; 0 for a constant X.
func (t *table) nmis(j int) float64 {
	whole := entropy(t.marginal())
	if !(whole > 0) {
		return 0
	}
	information := whole
	for s, row := range t.given(j) {
		information -= t.prior[j][s] * entropy(row)
	}
	return max(0, information) / whole
}

// strength is that of a parent, or of a table without parents.
func (t *table) strength(j int) float64 {
	if len(t.prior) == 0 {
		return t.nis()
	}
	return t.nmis(j)
}

// strengths are the NIS of a table without parents, or else the NMIS of each parent.
func (t *table) strengths() []float64 {
	s := make([]float64, max(1, len(t.prior)))
	for j := range s {
		s[j] = t.strength(j)
	}
	return s
}

// softmax sets row to the distribution proportional to exp(logs).
func softmax(row, logs []float64) {
	top, sum := slices.Max(logs), 0.0
	for x, l := range logs {
		row[x] = math.Exp(l - top)
		sum += row[x]
	}
	for x := range row {
		row[x] /= sum
	}
}

// checkTargets returns an error for strengths that no table has.
func checkTargets(arity int, prior [][]float64, want []float64) error {
	if arity < 2 {
		return fmt.Errorf("hierarchy: a variable with %d states; it needs at least two", arity)
	}
	if len(want) != max(1, len(prior)) {
		return fmt.Errorf("hierarchy: %d strengths for %d parents; give one NIS without parents and one NMIS for "+
			"each parent otherwise", len(want), len(prior))
	}
	for j, s := range want {
		if !(s >= 0 && s <= 1) || len(prior) == 0 && s == 0 || len(prior) > 0 && s == 1 {
			return say.Errorf("hierarchy: strength %d is %v; a NIS is above 0 and at most 1, an NMIS at least 0 and "+
				"below 1", j+1, s)
		}
	}
	return nil
}

// draw is B06's P(Θ | S): a random table of an arity with the given NIS, or with an NMIS for each parent. A
// row is proportional to
//
//	u · exp(Σ_j β_j z_j[state of parent j]),   z ~ N(0, 1),
//
// u uniform without parents (z then has one row) and itself such a table of NIS 0.95 with them; the β are
// found one after the other, again and again where there are several parents. Tables in which a parent cannot
// be made strong enough are drawn again. It returns an error for targets out of range or never reached.
func draw(arity int, prior [][]float64, want []float64, src *rand.Rand) (*table, error) {
	if err := checkTargets(arity, prior, want); err != nil {
		return nil, err
	}
	for range redraws {
		t, err := newTable(arity, prior)
		if err != nil {
			return nil, err
		}
		base := make([]float64, arity)
		scores := [][][]float64{{normals(arity, src)}}
		if len(prior) > 0 {
			root, err := draw(arity, nil, []float64{parentNIS}, src)
			if err != nil {
				return nil, err
			}
			for x, p := range root.rows[0] {
				base[x] = math.Log(p)
			}
			scores = make([][][]float64, len(prior))
			for j, p := range prior {
				for range p {
					scores[j] = append(scores[j], normals(arity, src))
				}
			}
		}
		if t.solve(want, 0, func(beta []float64) { t.fill(base, scores, beta) }) {
			return t, nil
		}
	}
	return nil, say.Errorf("hierarchy: no table of %d states and %d parents has the strengths %v, in %d draws", arity,
		len(prior), want, redraws)
}

// normals draws numbers from N(0, 1).
func normals(n int, src *rand.Rand) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = src.NormFloat64()
	}
	return z
}

// fill sets the rows from exponents.
func (t *table) fill(base []float64, scores [][][]float64, beta []float64) {
	logs := make([]float64, len(base))
	for c := range t.rows {
		copy(logs, base)
		for j, b := range beta {
			for x, z := range scores[j][t.states[c][j]] {
				logs[x] += b * z
			}
		}
		softmax(t.rows[c], logs)
	}
}

// modify is B06's P(Θ' | Θ, S'): the table with other strengths that is near t,
//
//	Θ'(x | k) ∝ Θ(x | k) Π_j (P(x | k_j) / P(x))^(γ_j − 1),
//
// P(x | k_j) and P(x) those of t; with one parent that is P(x) (Θ(x | k) / P(x))^γ. A table without parents
// becomes Θ^γ. The γ are looked for in the first interval from γ = 1 that has the target in it. Where t has
// the strengths already, the result is t exactly; the nearer they are, the smaller the divergence. It returns
// an error where no γ has the target.
func (t *table) modify(want []float64) (*table, error) {
	if err := checkTargets(len(t.rows[0]), t.prior, want); err != nil {
		return nil, err
	}
	d := t.clone()
	ratio := [][][]float64{{nil}} // log P(x | k_j) − log P(x)
	if len(t.prior) == 0 {
		ratio[0][0] = logs(t.rows[0])
	} else {
		whole := logs(t.marginal())
		ratio = make([][][]float64, len(t.prior))
		for j := range ratio {
			for _, row := range t.given(j) {
				l := logs(row)
				for x := range l {
					l[x] -= whole[x]
				}
				ratio[j] = append(ratio[j], l)
			}
		}
	}
	sum := make([]float64, len(t.rows[0]))
	tilt := func(gamma []float64) {
		for c, row := range t.rows {
			for x, p := range row {
				sum[x] = math.Inf(-1)
				if !(p > 0) {
					continue
				}
				sum[x] = math.Log(p)
				for j, g := range gamma {
					sum[x] += (g - 1) * ratio[j][t.states[c][j]][x]
				}
			}
			softmax(d.rows[c], sum)
		}
	}
	if near(t.strengths(), want) {
		return d, nil
	}
	if !d.solve(want, 1, tilt) {
		return nil, say.Errorf("hierarchy: a table with the strengths %v has none like it with %v", t.strengths(), want)
	}
	return d, nil
}

func logs(p []float64) []float64 {
	l := make([]float64, len(p))
	for x := range p {
		l[x] = math.Log(p[x])
	}
	return l
}

// near reports whether strengths are those that are wanted.
func near(have, want []float64) bool {
	for j := range want {
		if !(math.Abs(have[j]-want[j]) <= strengthTolerance) {
			return false
		}
	}
	return true
}

// solve finds exponents, all at start first, under which set makes the strengths of t what is wanted.
func (t *table) solve(want []float64, start float64, set func(exponents []float64)) bool {
	at := make([]float64, len(want))
	for j := range at {
		at[j] = start
	}
	set(at)
	for range rounds {
		if near(t.strengths(), want) {
			return true
		}
		for j := range at {
			f := func(e float64) float64 {
				at[j] = e
				set(at)
				return t.strength(j) - want[j]
			}
			root, ok := bracketed(f, at[j])
			if !ok {
				return false
			}
			f(root)
		}
	}
	return false
}

// bracketed finds a zero of f in the first interval from start, going away from it in growing steps to both sides
// and not below 0, in which f changes its sign.
func bracketed(f func(float64) float64, start float64) (float64, bool) {
	type point struct{ x, f float64 }
	up := point{start, f(start)}
	down := up
	if math.Abs(up.f) <= strengthTolerance/10 {
		return start, true
	}
	for step := 1.0 / 16; up.x < steepest; step *= 1.25 {
		for _, last := range []*point{&up, &down} {
			next := point{x: last.x + step}
			if last == &down {
				next.x = max(0, last.x-step)
			}
			next.f = f(next.x)
			if math.Signbit(next.f) != math.Signbit(last.f) {
				return zero(f, last.x, last.f, next.x, next.f), true
			}
			*last = next
		}
	}
	return 0, false
}

// zero finds a zero of f between a and b, where its values have different signs, by the Illinois method:
// false position, in which the value at an end that stays is halved.
func zero(f func(float64) float64, a, fa, b, fb float64) float64 {
	for range iterations {
		x := b - fb*(b-a)/(fb-fa)
		g := f(x)
		if math.Abs(g) <= strengthTolerance/10 {
			return x
		}
		if math.Signbit(g) != math.Signbit(fb) {
			a, fa = b, fb
		} else {
			fa /= 2
		}
		b, fb = x, g
	}
	return b
}
