package constraints

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
	"bnlab/internal/numtest"
)

// near checks that got is want, to an absolute or a relative error; NaN never is.
func near(t *testing.T, got, want, abs, rel float64) {
	t.Helper()
	if !scalar.EqualWithinAbsOrRel(got, want, abs, rel) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func job(seed uint64) *run.Job { return &run.Job{Seed: seed, Workers: 2} }

// Where the set is convex in each distribution, a true statement hurts in no sample.
func TestNeverWorse(t *testing.T) {
	scenes, err := Scenes()
	if err != nil {
		t.Fatal(err)
	}
	r, err := ComputeClasses(t.Context(), job(8), "", scenes, sceneStream,
		Config{Sizes: []int{3, 30, 300}, Replicates: 20})
	if err != nil {
		t.Fatal(err)
	}
	for s, scene := range scenes {
		worse, pairs := r.worse(s)
		if pairs != 60 {
			t.Fatalf("%d pairs, want 60", pairs)
		}
		if worse > 0 && slices.Contains(convex, scene.Class) {
			t.Errorf("type %s: worse in %d of %d", scene.Class, worse, pairs)
		}
	}
}

// Hidden cells are as many as asked for, each column alike, and the others stay.
func TestHide(t *testing.T) {
	truth, err := Clinic()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(truth, 4000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	holes, err := Hide(cases, 0.3, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	for c, column := range holes.Columns() {
		n := 0.0
		for row, state := range column.States {
			if state == bn.Missing {
				n++
			} else if state != cases.Columns()[c].States[row] {
				t.Fatalf("row %d of %s has changed", row, column.Var.Name)
			}
		}
		near(t, n/4000, 0.3, 4*math.Sqrt(0.3*0.7/4000), 0)
	}
}

// The puzzles: what the oracle says is true, and its groups are those of the truth.
func TestPuzzles(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) (*puzzle, error){"states": sharedStates, "rows": sharedRows} {
		p, err := draw(rand.New(rand.NewPCG(4, 0)))
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := constraint.Compile(p.truth, p.oracle)
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, compiled.Layout().Len())
		for v := range p.truth.Len() {
			lo, _ := compiled.Layout().Family(v)
			copy(theta[lo:], p.truth.CPT(v).P)
		}
		if v := compiled.Violation(theta); v > 1e-15 {
			t.Errorf("%s: the truth breaks the oracle's statement by %v", name, v)
		}
		table := p.truth.CPT(p.truth.Len() - 1)
		value := func(member int) float64 {
			if name == "states" {
				return table.P[member]
			}
			return table.Row(member)[0]
		}
		for a := range p.groups {
			for b := range a {
				if same := p.groups[a] == p.groups[b]; same != (value(a) == value(b)) {
					t.Fatalf("%s: %d and %d are in one group: %v, their values %v and %v", name, a, b, same, value(a),
						value(b))
				}
			}
		}
	}
}

// By hand: of 20 cases 10 have a heart attack, and pain was in the chest in 6 of these.
func TestCompare(t *testing.T) {
	truth, err := ChestPain()
	if err != nil {
		t.Fatal(err)
	}
	disease, pain := make([]bn.State, 20), make([]bn.State, 20)
	for i := range 10 {
		disease[i] = 2
		if i < 6 {
			pain[i] = 2
		}
	}
	cases, err := data.New(data.Column{Var: truth.Variable(0), States: disease},
		data.Column{Var: truth.Variable(1), States: pain})
	if err != nil {
		t.Fatal(err)
	}
	known := constraint.Fixed{Var: "pain", Given: bn.Given{"disease": "heart attack"},
		P: map[string]float64{"chest": 0.9}}
	df, err := Compare(truth, bnkit.Frame(cases), known)
	if err != nil {
		t.Fatal(err)
	}
	if names := df.Names(); !slices.Equal(names, []string{"disease", "estimate", "none", "elsewhere", "chest"}) ||
		df.Nrow() != 3 {
		t.Fatalf("columns %v, %d rows", names, df.Nrow())
	}
	for row, want := range [][]float64{{0.04, 0.06, 0.9}, {5. / 13, 1. / 13, 7. / 13}, {5. / 60, 1. / 60, 0.9}} {
		for k, p := range want {
			near(t, df.Elem(row, 2+k).Float(), p, 1e-12, 0)
		}
	}
}

// By hand: 4 cases of the first of 16 words and a virtual one of each; then half of the
// probability is given to another word.
func TestCompareOneDistribution(t *testing.T) {
	truth, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.New(data.Column{Var: truth.Variable(0), States: make([]bn.State, 4)})
	if err != nil {
		t.Fatal(err)
	}
	df, err := Compare(truth, bnkit.Frame(cases), constraint.Fixed{Var: "word", P: map[string]float64{"English": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if names := df.Names(); !slices.Equal(names, []string{"word", "truth", "free", "constrained"}) || df.Nrow() != 16 {
		t.Fatalf("columns %v, %d rows", names, df.Nrow())
	}
	for row, want := range map[int][]float64{0: {0.1, 5. / 20, 0.5 * 5 / 19}, 1: {0.04, 1. / 20, 0.5 / 19},
		14: {0.27, 1. / 20, 0.5}} {
		if name := df.Elem(row, 0).String(); name != truth.Variable(0).States[row] {
			t.Errorf("row %d is %q", row, name)
		}
		for k, p := range want {
			near(t, df.Elem(row, 1+k).Float(), p, 1e-12, 0)
		}
	}
}

// A linear-Gaussian node has a row for the intercept, each weight, and the variance.
func TestCompareRegression(t *testing.T) {
	truth, err := MoreStocks()
	if err != nil {
		t.Fatal(err)
	}
	days, err := data.Sample(truth, 20, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	df, err := Compare(truth, bnkit.Frame(days),
		constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}})
	if err != nil {
		t.Fatal(err)
	}
	if names := df.Col("DELL").Records(); !slices.Equal(names, []string{"intercept", "MSFT", "INTL", "PSUPPLY",
		"variance"}) {
		t.Fatalf("rows %v", names)
	}
	for row, want := range []float64{0.1, 0.4, 0.4, 0.08, 1} {
		near(t, df.Elem(row, 1).Float(), want, 0, 0)
	}
	if free, tied := df.Col("free").Float(), df.Col("constrained").Float(); free[1] == free[2] ||
		math.Abs(tied[1]-tied[2]) > 1e-12 {
		t.Errorf("free weights %v, constrained %v", free[1:3], tied[1:3])
	}
}

func TestErrors(t *testing.T) {
	runtest.Refuses(t, Compute, ConfigFor(run.Paper))
	for name, spoil := range map[string]func(c *Config){
		"sizes":     func(c *Config) { c.Sizes = nil },
		"order":     func(c *Config) { c.MissingSizes = []int{200, 50} },
		"fractions": func(c *Config) { c.Fractions = []float64{math.NaN()} },
		"checks":    func(c *Config) { c.Checks = 0 },
	} {
		c := ConfigFor(run.Quick)
		spoil(&c)
		if c.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// small is the quick profile with few replicates: too few for its claims to hold.
func small() Config {
	c := ConfigFor(run.Quick)
	c.Replicates, c.MissingReplicates, c.LearnedReplicates, c.Checks = 4, 2, 2, 2
	return c
}

func TestSameResults(t *testing.T) {
	c := small()
	c.Sizes, c.MissingSizes, c.LearnedSizes = []int{5, 50}, []int{50}, []int{50, 100}
	runtest.SameResults(t, func(job *run.Job) (*Results, error) { return Compute(t.Context(), job, c) })
}

// TestSameBytes is of the whole quick profile where sweeps run whole.
func TestSameBytes(t *testing.T) {
	var e run.Experiment = Experiment{}
	if !numtest.Full() {
		e = runtest.With(Experiment{}, small(), reproduce)
	}
	dir, claims := runtest.Once(t, e)
	if numtest.Full() {
		runtest.Hold(t, claims)
	}
	runtest.Files(t, dir, "n06-alg1-missing.csv", "n06-alg1-missing.png", "n06-classes-kl.csv",
		"n06-classes-kl-1-to-3.png", "n06-classes-kl-12-and-13.svg",
		"n06-classes-removed.png", "n06-learned-network.csv", "n06-learned-sharing.csv", "n06-learned-sharing.svg",
		"n06-mixed-kl.csv")
	if files, err := os.ReadDir(dir); err != nil || len(files) < 20 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
