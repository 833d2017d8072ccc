package sqltest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// Keyed adds a column of whole numbers, named key: of either sign, far apart, beyond the primes of the hash, and one
// number in two rows.
func Keyed(t testing.TB, cases *data.Table) (*data.Table, []int64) {
	t.Helper()
	var v bn.Variable
	keys := make([]int64, cases.Rows())
	at := make([]bn.State, cases.Rows())
	for row := range keys {
		keys[row] = int64(row) - 50
		switch {
		case row == 1:
			keys[row] = keys[0]
		case row%7 == 0:
			keys[row] = int64(row) * (1<<31 - 1)
		case row%11 == 0:
			keys[row] = math.MinInt64 + int64(row)
		case row%13 == 0:
			keys[row] = math.MaxInt64 - int64(row)
		}
		text := strconv.FormatInt(keys[row], 10)
		s := slices.Index(v.States, text)
		if s < 0 {
			s, v.States = len(v.States), append(v.States, text)
		}
		at[row] = bn.State(s)
	}
	out, err := data.New(append(cases.Columns(), data.Column{Var: bn.Discrete("key", v.States...), States: at})...)
	if err == nil {
		out, err = out.WithWeights(cases.Weights())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, keys
}

// Hash is that of keys, by its definition and in numbers of any length: the polynomial with coefficients drawn by
// PCG(seed, stream), the highest power first, at the remainder by 2^31 − 1 plus 48271 times that by 2^31 − 19.
func Hash(seed, stream uint64) func(key int64) int64 {
	p := big.NewInt(1<<31 - 1)
	random := rand.New(rand.NewPCG(seed, stream))
	var c [4]*big.Int
	for i := range c {
		c[i] = new(big.Int).SetUint64(random.Uint64N(p.Uint64()))
	}
	return func(key int64) int64 {
		k := big.NewInt(key)
		x := new(big.Int).Mod(k, big.NewInt(1<<31-19)) // not negative, as big.Int has it
		x.Mul(x, big.NewInt(48271)).Add(x, new(big.Int).Mod(k, p))
		sum := new(big.Int)
		for i := range c {
			power := new(big.Int).Exp(x, big.NewInt(int64(3-i)), nil)
			sum.Add(sum, power.Mul(power, c[i]))
		}
		return sum.Mod(sum, p).Int64()
	}
}

// keyed loads cases with keys and opens them.
func (s Suite) keyed(t *testing.T, cases *data.Table) (c *sqldata.Cases, keys []int64) {
	t.Helper()
	with, keys := Keyed(t, cases)
	o := s.Load(t, with)
	o.Key = "key"
	o.Columns = nil
	for _, v := range cases.Variables() {
		o.Columns = append(o.Columns, v.Name)
	}
	o.States = data.StatesOf(cases.Variables()...)
	return s.Open(t, o), keys
}

const folds = 3

// dealt are the rows of each fold.
func dealt(keys []int64, seed uint64) [][]int {
	rows, hash := make([][]int, folds), Hash(seed, 0)
	for row, key := range keys {
		rows[hash(key)%folds] = append(rows[hash(key)%folds], row)
	}
	return rows
}

// folds: the rows of a fold are those that the hash says, so that counts and distinct rows are those in memory.
func (s Suite) folds(t *testing.T) {
	plain := Sample(t, infertest.Asia(), 600)
	for of, cases := range map[string]*data.Table{
		"complete": plain, "missing and weights": Weighted(t, Holed(t, plain, 0.1)),
	} {
		t.Run(of, func(t *testing.T) {
			c, keys := s.keyed(t, cases)
			train, test, err := c.Folds(t.Context(), folds, 9)
			if err != nil {
				t.Fatal(err)
			}
			list := Families(c.Variables())
			for fold, rows := range dealt(keys, 9) {
				in, out := cases.Select(rows), cases.Select(cases.Complement(rows))
				numtest.Close(t, test[fold].TotalWeight(), in.TotalWeight(), 0, 1e-15)
				numtest.Close(t, train[fold].TotalWeight(), out.TotalWeight(), 0, 1e-15)
				before := c.Cost().Statements
				Same(t, test[fold], in, list, skip)
				Same(t, train[fold], out, list, skip)
				if sent := c.Cost().Statements - before; fold > 0 && sent > 0 {
					t.Errorf("%d statements for what the first fold counted", sent)
				}
				all, err := train[fold].DistinctRows(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				Same(t, all, out, list, skip)
			}
		})
	}
	t.Run("cross-validation", s.crossValidation)
}

// Held-out scores are those of fits in memory to the same folds.
func (s Suite) crossValidation(t *testing.T) {
	net := infertest.Asia()
	cases := Sample(t, net, 600)
	learners := []validate.Learner{
		{Name: "given", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}},
		{Name: "found", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}, Search: structure.HillClimb{}},
	}
	c, keys := s.keyed(t, cases)
	got, err := validate.CrossValidate(t.Context(), net, c, "dysp", learners, &validate.Settings{Folds: folds, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.New(rand.NewPCG(4, 0)).Uint64()
	for fold, rows := range dealt(keys, seed) {
		in, out := cases.Select(rows), cases.Select(cases.Complement(rows))
		for i, l := range learners {
			with := net
			if l.Search != nil {
				found, err := structure.Learn(t.Context(), out, structure.BIC{}, l.Search, nil)
				if err != nil {
					t.Fatal(err)
				}
				if with, err = bn.NewNetwork(found.DAG, found.Variables); err != nil {
					t.Fatal(err)
				}
			}
			r, err := learn.Fit(t.Context(), with, out, l.Candidates[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := metric.Predict(r.Net, in, "dysp")
			if err != nil {
				t.Fatal(err)
			}
			score, right := 0.0, 0.0
			for row, dist := range p.P {
				score += math.Log(dist[p.Occurred[row]]) / float64(in.Rows())
				if o := p.Occurred[row]; dist[o] > dist[1-o] || dist[o] == dist[1-o] && o == 0 {
					right += 1 / float64(in.Rows())
				}
			}
			curve, err := p.ROC(got.Target.States[1])
			if err != nil {
				t.Fatal(err)
			}
			f := got.Learners[i].Folds[fold]
			numtest.Close(t, f.LogScore, score, 0, 1e-12)
			numtest.Close(t, f.Accuracy, right, 0, 1e-12)
			numtest.Close(t, f.AUC, curve.AUC, 0, 1e-12)
		}
	}
}
