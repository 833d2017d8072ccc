package metric

import (
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A regime is the part of the cases in which the same variables were set. It has the network after [bn.Network.Do]:
// what a variable was set to tells nothing of its parents, and has no probability of its own.
type regime struct {
	net   *bn.Network
	cases data.Regime
	given []float64 // log density of the set values in net, by case, which is no part of a score
}

// regimes splits a table in some of whose rows variables were set (WithInterventions); nil for none.
func regimes(net *bn.Network, t *data.Table) ([]regime, error) {
	var out []regime
	for _, part := range t.Regimes() {
		r := regime{net: net, cases: part, given: make([]float64, part.Rows.Rows())}
		for _, name := range part.Set {
			v, err := net.Index(name)
			if err != nil {
				continue // another column
			}
			value := "0"
			if net.Variable(v).IsDiscrete() {
				value = net.Variable(v).States[0]
			}
			if r.net, err = r.net.Do(bn.Set(name, value)); err == nil {
				err = r.open(name)
			}
			if err != nil {
				return nil, say.Errorf("metric: a variable that was set: %w", err)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// open gives a variable that was set a distribution under which all its values are possible.
func (r *regime) open(name string) error {
	v, err := r.net.Index(name)
	if err != nil {
		return err
	}
	if t := r.net.CPT(v); t != nil {
		for s := range t.P {
			t.P[s] = 1 / float64(len(t.P))
		}
		for row := range r.given {
			r.given[row] -= math.Log(float64(len(t.P)))
		}
		return nil
	}
	column, err := r.cases.Rows.Column(name)
	if err != nil {
		return err
	}
	g := r.net.Gaussian(v)
	g.Intercept[0], g.Variance[0] = 0, 1
	for row := range r.given {
		x := column.Values[row]
		r.given[row] -= (x*x + math.Log(2*math.Pi)) / 2
	}
	return nil
}

// String says which rows they are, as errors in them count from the first.
func (r *regime) String() string {
	if len(r.cases.Set) == 0 {
		return "that were observed"
	}
	return "in which " + strings.Join(r.cases.Set, ", ") + " was set"
}

// observed returns an error for a regime in which the target was set.
func (r *regime) observed(target string) error {
	if slices.Contains(r.cases.Set, target) {
		return say.Errorf("metric: row %d: the target %q was set there, so it cannot be predicted; drop such rows",
			r.cases.Index[0]+1, target)
	}
	return nil
}

// scatter writes the answers of a regime to the rows that they are of.
func scatter[T any](to, from []T, r *regime) {
	for i, row := range r.cases.Index {
		to[row] = from[i]
	}
}
