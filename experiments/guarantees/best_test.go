package guarantees

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"bnlab/bnkit/bn"
	"bnlab/experiments/run"
)

// softmax turns numbers into positive ones that sum to total.
func softmax(total float64, z ...float64) []float64 {
	out, sum := make([]float64, len(z)), 0.0
	for i, x := range z {
		out[i] = math.Exp(x)
		sum += out[i]
	}
	for i := range out {
		out[i] *= total / sum
	}
	return out
}

// A shape describes the distributions that satisfy the wrong statement of a class by free numbers,
// written by hand: rows of tables. What no row mentions is as in the truth.
type shape struct {
	size int
	rows func(z []float64) map[int][]float64 // by configuration
}

var one8 = func(r []float64) map[int][]float64 { return map[int][]float64{0: r} }

// oneShapes order the states a … h.
var oneShapes = map[int]shape{
	1: {7, func(z []float64) map[int][]float64 { return one8(append([]float64{0.2}, softmax(0.8, z...)...)) }},
	2: {6, func(z []float64) map[int][]float64 { // acd, b, e, f, g, h
		m := softmax(1, z...)
		return one8([]float64{m[0] / 3, m[1], m[0] / 3, m[0] / 3, m[2], m[3], m[4], m[5]})
	}},
	3: {7, func(z []float64) map[int][]float64 { // cd, a, b, e, f, g, h
		m := softmax(1, z...)
		return one8([]float64{m[1], m[2], m[0] / 3, 2 * m[0] / 3, m[3], m[4], m[5], m[6]})
	}},
	4: {9, func(z []float64) map[int][]float64 { // deabh, c, f, g; de; abh
		m := softmax(1, z[:4]...)
		de, abh := softmax(m[0]/2, z[4:6]...), softmax(m[0]/2, z[6:]...)
		return one8([]float64{abh[0], abh[1], m[1], de[0], de[1], m[2], m[3], abh[2]})
	}},
	5: {8, func(z []float64) map[int][]float64 { // ac, fe, b, d, g, h; proportions
		m, w := softmax(1, z[:6]...), softmax(1, z[6:]...)
		return one8([]float64{m[0] * w[0], m[2], m[0] * w[1], m[3], m[1] * w[1], m[1] * w[0], m[4], m[5]})
	}},
	10: {10, func(z []float64) map[int][]float64 { // ab, d, e, g, h; cf below ab; ab; cf
		m := softmax(1, z[0], z[0]-z[5]*z[5], z[1], z[2], z[3], z[4])
		ab, cf := softmax(m[0], z[6:8]...), softmax(m[1], z[8:]...)
		return one8([]float64{ab[0], ab[1], cf[0], m[2], m[3], cf[1], m[4], m[5]})
	}},
	11: {9, func(z []float64) map[int][]float64 { // cf below 0.22; cf; the others
		sum := 0.22 * math.Exp(-z[0]*z[0])
		cf, m := softmax(sum, z[1:3]...), softmax(1-sum, z[3:]...)
		return one8([]float64{m[0], m[1], cf[0], m[2], m[3], cf[1], m[4], m[5]})
	}},
}

// wordShapes order the words international, latin, slavic, noun, verb.
var wordShapes = map[int]shape{
	6: {18, func(z []float64) map[int][]float64 { // latin or not; the others of each language
		rows, latin := make(map[int][]float64), softmax(1, z[:2]...)
		for c := range 4 {
			m := softmax(latin[1], z[2+4*c:6+4*c]...)
			rows[c] = []float64{m[0], latin[0], m[1], m[2], m[3]}
		}
		return rows
	}},
	7: {17, func(z []float64) map[int][]float64 { // noun, verb, rest; Italian and Spanish; Russian and Bulgarian
		rows, m := make(map[int][]float64), softmax(1, z[:3]...)
		for c := range 2 {
			rows[c] = append(softmax(m[2], z[3+3*c:6+3*c]...), m[0], m[1])
			l := softmax(1-m[0], z[9+4*c:13+4*c]...)
			rows[2+c] = []float64{l[0], l[1], l[2], m[0], l[3]}
		}
		return rows
	}},
	8: {12, func(z []float64) map[int][]float64 { // nouns and verbs or not; Italian and Spanish
		rows, m := make(map[int][]float64), softmax(1, z[:2]...)
		for c := range 2 {
			rows[c] = append(softmax(m[1], z[2+5*c:5+5*c]...), softmax(m[0], z[5+5*c:7+5*c]...)...)
		}
		return rows
	}},
	9: {10, func(z []float64) map[int][]float64 { // proportions; Italian and Russian
		rows, w := make(map[int][]float64), softmax(1, z[:2]...)
		for i, c := range []int{0, 2} {
			m := softmax(1, z[2+4*i:6+4*i]...)
			rows[c] = append(m[:3:3], m[3]*w[0], m[3]*w[1])
		}
		return rows
	}},
}

// TestTheorem3 compares P* with what a general optimiser finds among the distributions that the
// shapes above describe, from three starts. The rows of one table are weighted by the
// probability of their configuration.
func TestTheorem3(t *testing.T) {
	oneNet, err := oneTruth()
	if err != nil {
		t.Fatal(err)
	}
	wordNet, err := wordTruth()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range []struct {
		truth   *bn.Network
		weight  []float64
		classes []class
		shapes  map[int]shape
	}{
		{oneNet, []float64{1}, oneClasses(), oneShapes},
		{wordNet, wordNet.CPT(0).P, wordClasses(), wordShapes},
	} {
		table := group.truth.CPT(group.truth.Len() - 1)
		for _, c := range group.classes {
			shape := group.shapes[c.number]
			divergence := func(z []float64) float64 {
				kl := 0.0
				for config, row := range shape.rows(z) {
					for state, q := range row {
						p := table.Row(config)[state]
						kl += group.weight[config] * p * math.Log(p/q)
					}
				}
				return kl
			}
			problem := optimize.Problem{Func: divergence, Grad: func(grad, z []float64) {
				fd.Gradient(grad, divergence, z, &fd.Settings{Formula: fd.Central})
			}}
			least := math.Inf(1)
			rng := rand.New(rand.NewPCG(6, uint64(c.number)))
			for range 3 {
				start := make([]float64, shape.size)
				for i := range start {
					start[i] = rng.NormFloat64()
				}
				if r, err := optimize.Minimize(problem, start, nil, &optimize.BFGS{}); r != nil {
					least = min(least, r.F)
				} else {
					t.Fatal(err)
				}
			}
			e, err := newEstimator(group.truth, c.wrong)
			if err != nil {
				t.Fatal(err)
			}
			best, err := e.divergence(trueCounts(group.truth))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(best-least) > 1e-9 {
				t.Errorf("%s: KL(P, P*) is %v, the optimiser found %v", c.label(), best, least)
			}
		}
	}
}

func TestCompete(t *testing.T) {
	truth, err := oneTruth()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range oneClasses() {
		r, err := compete(truth, c, 300, rand.NewPCG(3, 0))
		if err != nil {
			t.Fatal(err)
		}
		if r.closer != 0 || r.nearest < r.best || r.nearest > r.best*1.02 || r.mean < r.nearest || r.violation > 1e-14 {
			t.Errorf("%s: %+v", c.label(), r)
		}
	}
}

// TestCorollary5 checks the rate too: for a right statement 2n KL(P, estimate) is in the limit
// chi-square with as many degrees of freedom as parameters are free, for an equality as for
// ML (Wilks). With 300 samples its mean has a standard error of √(2d/300).
func TestCorollary5(t *testing.T) {
	freedom := map[int]float64{1: 5, 2: 5, 3: 6, 4: 6, 5: 6, 6: 16, 7: 14, 8: 18, 9: 18}
	oneNet, err := oneTruth()
	if err != nil {
		t.Fatal(err)
	}
	wordNet, err := wordTruth()
	if err != nil {
		t.Fatal(err)
	}
	onePath, err := newPath(oneNet, "ML", oneClasses())
	if err != nil {
		t.Fatal(err)
	}
	wordPath, err := newPath(wordNet, "ML", wordClasses())
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Samples: 300, Examples: []int{100, 4000}, Virtual: 0.1}
	if err := converge(t.Context(), &run.Job{Seed: 4, Workers: 2}, c, []*path{onePath, wordPath}); err != nil {
		t.Fatal(err)
	}
	for i, p := range []*path{onePath, wordPath} {
		for _, course := range p.courses {
			mean, _ := course.mean()
			if course.wrong {
				for _, kl := range course.kl {
					for _, x := range kl {
						if x < course.best-1e-12 {
							t.Fatalf("%s: KL %v is below KL(P, P*) = %v", course.name(), x, course.best)
						}
					}
				}
				if course.best < 0.003 {
					t.Errorf("%s: KL(P, P*) is %v", course.name(), course.best)
				}
				continue
			}
			if course.best > 1e-15 {
				t.Errorf("%s: KL(P, P*) is %v, want 0", course.name(), course.best)
			}
			d, ok := freedom[course.class.number]
			if course.class.number == 0 {
				d, ok = []float64{7, 19}[i], true
			}
			if got := 2 * 4000 * mean[1]; ok && math.Abs(got-d) > 4*math.Sqrt(2*d/300) {
				t.Errorf("%s: 2n KL is %v on average, want about %v", course.name(), got, d)
			}
			if !course.arrives() && mean[1] > mean[0]/10 {
				t.Errorf("%s: the mean KL falls from %v to %v only", course.name(), mean[0], mean[1])
			}
		}
	}
}

func TestArrives(t *testing.T) {
	for _, tt := range []struct {
		kl   [][]float64
		want bool
	}{
		{[][]float64{{1.4, 1.6}, {0.7, 0.7}, {0.51, 0.509}}, true},
		{[][]float64{{1.4, 1.6}, {0.7, 0.7}, {0.52, 0.512}}, false}, // more than a hundredth left
		{[][]float64{{1.4, 1.6}, {0.5, 0.5}, {0.51, 0.509}}, false}, // not falling
	} {
		if got := (&course{best: 0.5, kl: tt.kl}).arrives(); got != tt.want {
			t.Errorf("%v arrives at 0.5: %v, want %v", tt.kl, got, tt.want)
		}
	}
}
