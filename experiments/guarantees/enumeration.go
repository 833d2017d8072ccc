package guarantees

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/combin"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A scene is a small truth in which a statement of a class holds, and what the statement
// ties: groups of entries whose sums it is about. For types 2, 3, 5 and 9, which share
// out every entry of a block by a rule, each entry of the block is tied.
type scene struct {
	number    int // type of N06 §4.3
	statement constraint.Constraint
	rows      [][]float64 // distributions of X, one by one, or given its parent R
	examples  []int       // cases of each distribution
	tied      [][]int     // entries, the rows one after another
}

// An exactness is what enumeration of all counts says of one estimate, or of a sum of some.
type exactness struct {
	scene      int
	examples   int
	entries    []int
	block      bool // what the statement ties
	truth      float64
	bias       float64
	varianceML float64
	variance   float64
	meanSquare float64 // mean squared error
}

// scenes are the truths: none of a kind chosen by its outcome, from even to a state of probability
// 0.01. Inequalities hold with room in some and on their bound in others.
func scenes() []scene {
	few, many := []int{2, 5, 10}, []int{2, 5, 10, 20, 40}
	var list []scene
	add := func(number int, s constraint.Constraint, examples []int, tied [][]int, rows ...[]float64) {
		list = append(list, scene{number, s, rows, examples, tied})
	}
	for _, c := range []float64{0.25, 0.1, 0.01} {
		known := constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.5}}
		add(1, known, many, [][]int{{0}, {1, 2}}, []float64{0.5, 0.5 - c, c})
		known = constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.9}}
		add(1, known, many, [][]int{{0}, {1, 2}}, []float64{0.9, 0.1 - c/5, c / 5})
	}
	for _, p := range []float64{0.25, 0.1, 0.01} {
		add(2, constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}, many, [][]int{{0}, {1}, {2}, {3}},
			[]float64{p, p, 0.7 * (1 - 2*p), 0.3 * (1 - 2*p)})
		add(3, constraint.Proportional{Var: "X", Weights: map[string]float64{"a": 1, "b": 2}}, many,
			[][]int{{0}, {1}, {2}, {3}}, []float64{p, 2 * p, 0.7 * (1 - 3*p), 0.3 * (1 - 3*p)})
	}
	pairs := [][]string{{"a", "b"}, {"c", "d"}}
	for _, sum := range []float64{0.4, 0.1, 0.05} {
		for _, part := range []float64{0.5, 0.1} {
			add(4, constraint.ShareSums{Var: "X", Groups: pairs}, many, [][]int{{0, 1}, {2, 3}, {4}},
				[]float64{sum * part, sum * (1 - part), sum / 2, sum / 2, 1 - 2*sum})
			add(5, constraint.ShareRatios{Var: "X", Groups: pairs}, many, [][]int{{0}, {1}, {2}, {3}, {4}},
				[]float64{sum * part, sum * (1 - part), 0.5 * part, 0.5 * (1 - part), 0.5 - sum})
		}
	}
	in := func(r string, states ...string) constraint.Event {
		return constraint.Event{Var: "X", States: states, Given: bn.Given{"R": r}}
	}
	for _, p := range []float64{0.4, 0.1, 0.05} {
		rows := [][]float64{{p, (1 - p) / 2, (1 - p) / 2}, {p, (1 - p) / 10, 9 * (1 - p) / 10}}
		add(6, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}, few, [][]int{{0}, {1, 2}, {3}, {4, 5}},
			rows...)
		add(7, constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{{States: []string{"a"}}}}, few,
			[][]int{{0}, {1, 2}, {3}, {4, 5}}, rows...)
		rows = [][]float64{{p / 2, p / 2, 1 - p}, {p / 10, 9 * p / 10, 1 - p}}
		add(8, constraint.ShareSumsAcross{Events: []constraint.Event{in("r", "a", "b"), in("s", "a", "b")}}, few,
			[][]int{{0, 1}, {2}, {3, 4}, {5}}, rows...)
		rows = [][]float64{{p / 5, 4 * p / 5, 1 - p}, {0.1, 0.4, 0.5}}
		add(9, constraint.ShareRatiosAcross{Events: []constraint.Event{in("r", "a", "b"), in("s", "a", "b")}}, few,
			[][]int{{0}, {1}, {2}, {3}, {4}, {5}}, rows...)
	}
	for _, low := range []float64{0.3, 0.1, 0.01} {
		add(10, constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}}}, many, nil,
			[]float64{low, 0.3, 0.7 - low})
		add(11, constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.3}, many, nil,
			[]float64{low, 0.2, 0.8 - low})
	}
	return list
}

// name spells the rows, as in "0.5 0.49 0.01".
func (s scene) name() string {
	var rows []string
	for _, row := range s.rows {
		rows = append(rows, strings.Trim(fmt.Sprintf("%.4g", row), "[]"))
	}
	return strings.Join(rows, " | ")
}

// entries spells a sum of entries, as in "a+b given r".
func (s scene) entries(entries []int) string {
	states := len(s.rows[0])
	var names []string
	for _, i := range entries {
		names = append(names, string(rune('a'+i%states)))
	}
	text := strings.Join(names, "+")
	if len(s.rows) > 1 {
		text += " given " + string(rune('r'+entries[0]/states))
	}
	return text
}

// network is X alone, or given R.
func (s scene) network() (*bn.Network, error) {
	x := bn.Discrete("X", strings.Split("abcdefgh"[:len(s.rows[0])], "")...)
	if len(s.rows) == 1 {
		return bn.New("[X]", x)
	}
	return bn.New("[R][X|R]", bn.Discrete("R", "r", "s"), x)
}

// enumerate is what all counts together say of each entry and of each tied sum, for n cases of each
// distribution.
func (s scene) enumerate(index, n int) ([]exactness, error) {
	net, err := s.network()
	if err != nil {
		return nil, err
	}
	problem, err := constraint.Compile(net, s.statement)
	if err != nil {
		return nil, err
	}
	states := len(s.rows[0])
	first := net.Layout().Len() - states*len(s.rows)
	truth := slices.Concat(s.rows...)
	var list []exactness
	add := func(entries []int, block bool) {
		e := exactness{scene: index, examples: n, entries: entries, block: block}
		for _, i := range entries {
			e.truth += truth[i]
		}
		list = append(list, e)
	}
	for i := range truth {
		add([]int{i}, false)
	}
	for _, entries := range s.tied {
		add(entries, true)
	}
	square, squareML := make([]float64, len(list)), make([]float64, len(list))
	counts, theta := make([]float64, net.Layout().Len()), make([]float64, net.Layout().Len())
	err = compositions(n, states, s.rows, counts[first:], 1, func(mass float64) error {
		if err := problem.Maximize(theta, counts); err != nil {
			return err
		}
		for k, e := range list {
			deviation, free := -e.truth, -e.truth
			for _, i := range e.entries {
				deviation += theta[first+i]
				free += counts[first+i] / float64(n)
			}
			list[k].bias += mass * deviation
			square[k] += mass * deviation * deviation
			squareML[k] += mass * free * free
		}
		return nil
	})
	if err != nil {
		return nil, say.Errorf("guarantees: %v, %d cases: %w", s.statement, n, err)
	}
	for k := range list {
		e := &list[k]
		e.variance, e.meanSquare = square[k]-e.bias*e.bias, square[k]
		e.varianceML = squareML[k]
	}
	return list, nil
}

// compositions writes all counts of n cases in each row to counts, with their probability.
func compositions(n, states int, rows [][]float64, counts []float64, mass float64, f func(mass float64) error) error {
	if len(rows) == 0 {
		return f(mass)
	}
	var place func(state, left int, mass float64) error
	place = func(state, left int, mass float64) error {
		p := rows[0][state]
		if state == states-1 {
			counts[state] = float64(left)
			return compositions(n, states, rows[1:], counts[states:], mass*math.Pow(p, float64(left)), f)
		}
		for k := range left + 1 {
			counts[state] = float64(k)
			ways := math.Round(math.Exp(combin.LogGeneralizedBinomial(float64(left), float64(k))))
			if err := place(state+1, left-k, mass*ways*math.Pow(p, float64(k))); err != nil {
				return err
			}
		}
		return nil
	}
	return place(0, n, mass)
}

// enumerateAll works on all scenes and sizes.
func enumerateAll(ctx context.Context, job *run.Job, list []scene) ([]exactness, error) {
	type work struct{ scene, examples int }
	var all []work
	for i, s := range list {
		for _, n := range s.examples {
			all = append(all, work{i, n})
		}
	}
	out := make([][]exactness, len(all))
	err := job.Replicates(ctx, "enumerate all counts", len(all), func(i int, _ *rand.PCG) error {
		var err error
		out[i], err = list[all[i].scene].enumerate(all[i].scene, all[i].examples)
		return err
	})
	return slices.Concat(out...), err
}
