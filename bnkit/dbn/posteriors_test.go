package dbn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// TestPosteriors compares smoothed, filtered and predicted distributions with enumeration.
func TestPosteriors(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			net := scene(t, sc.model, 6)
			s := holes(t, net, sc.hidden, 7, 3, 1, 2)
			const steps = 2
			smooth, filter, predict := must(net.Smooth(s))(t), must(net.Filter(s))(t), must(net.Predict(s, steps))(t)
			for i := range s.Len() {
				length := s.Length(i)
				compare(t, "smoothed", smooth[i], func(slice int) ([]world, int) {
					return worlds(t, net, s, i, length, length), slice
				})
				compare(t, "filtered", filter[i], func(slice int) ([]world, int) {
					return worlds(t, net, s, i, slice+1, slice), slice
				})
				if len(predict[i]) != steps {
					t.Fatalf("%d slices predicted, want %d", len(predict[i]), steps)
				}
				compare(t, "predicted", predict[i], func(slice int) ([]world, int) {
					return worlds(t, net, s, i, length+steps, length), length + slice
				})
			}
		})
	}
}

// compare compares each slice with the posterior of the worlds that of returns.
func compare(t *testing.T, what string, got []infer.Posteriors, of func(slice int) ([]world, int)) {
	t.Helper()
	for slice, found := range got {
		list, at := of(slice)
		for v, variable := range found.Variables {
			for state, want := range posterior(list, at, v, variable.Cardinality()) {
				if !numtest.Close(t, found.P[v][state], want, 1e-11, 0) {
					t.Fatalf("%s: slice %d, %s", what, slice, variable)
				}
			}
		}
	}
}

// TestUmbrella has the numbers of Russell and Norvig (§15.2): two days with an umbrella give
// rain on day 2 the probability 0.883 when filtered, and on day 1 0.883 when smoothed. By hand:
// day 1 is ⟨0.5·0.2, 0.5·0.9⟩ ∝ ⟨2, 9⟩, so that day 2 is ⟨0.2·(2·0.7+9·0.3), 0.9·(2·0.3+9·0.7)⟩ =
// ⟨0.82, 6.21⟩.
func TestUmbrella(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,1,yes\n a,2,yes\n")
	rain := func(list [][]infer.Posteriors, slice int) float64 { return list[0][slice].Of("rain")[1] }
	filter := must(net.Filter(s))(t)
	numtest.Close(t, rain(filter, 0), 9./11, 1e-15, 0)
	numtest.Close(t, rain(filter, 1), 6.21/7.03, 1e-14, 0)
	numtest.Close(t, rain(must(net.Smooth(s))(t), 0), 6.21/7.03, 1e-14, 0) // both tables are symmetric
	numtest.Close(t, rain(must(net.Predict(s, 1))(t), 0), 0.3+0.4*6.21/7.03, 1e-14, 0)
	paths, logp, err := net.MostProbable(s)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, math.Exp(logp[0]), 0.5*0.9*0.7*0.9, 1e-14, 0)
	c := must(paths.Table().Column("rain"))(t)
	if c.Text(0) != "yes" || c.Text(1) != "yes" {
		t.Errorf("most probable: %v", paths.Table())
	}
}

func TestMostProbable(t *testing.T) {
	for _, sc := range scenes {
		net := scene(t, sc.model, 8)
		s := holes(t, net, sc.hidden, 9, 3, 1, 2)
		paths, logp, err := net.MostProbable(s)
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for i := range s.Len() {
			best, length := world{}, s.Length(i)
			for _, w := range worlds(t, net, s, i, length, length) {
				if w.p > best.p {
					best = w
				}
			}
			numtest.Close(t, logp[i], math.Log(best.p), 1e-12, 1e-12)
			for slice := range length {
				for v, variable := range net.Variables() {
					if got := must(paths.Table().Column(variable.Name))(t).Text(
						row); got != variable.States[best.states[slice][v]] {
						t.Errorf("%s: series %s, slice %d: %s=%s, want %s", sc.name, s.Name(i), slice, variable.Name,
							got, variable.States[best.states[slice][v]])
					}
				}
				row++
			}
		}
	}
}

// TestGaussians: what is filtered up to the last slice is smoothed there, with continuous
// variables observed and two ways of computing.
func TestGaussians(t *testing.T) {
	net := network(t, "[s|s[t-1]][x|s:x[t-1]][y|x:s:s[t-1]][z|y]",
		bn.Discrete("s", "0", "1", "2"), bn.Continuous("x"), bn.Continuous("y"), bn.Continuous("z"))
	random(net, rand.New(rand.NewPCG(1, 0)))
	s, err := must(net.Sample([]int{6, 2, 9}, rand.NewPCG(1, 1)))(t).Keep("x", "y")
	if err != nil {
		t.Fatal(err)
	}
	smooth, filter := must(net.Smooth(s))(t), must(net.Filter(s))(t)
	for i := range s.Len() {
		last := s.Length(i) - 1
		for state, want := range smooth[i][last].Of("s") {
			numtest.Close(t, filter[i][last].Of("s")[state], want, 1e-12, 0)
		}
	}
}

func TestPosteriorErrors(t *testing.T) {
	net := weather(t)
	if err := net.SetTable("umbrella[1]", "rain[1] | no yes\n no | 1 0\n yes | 1 0"); err != nil {
		t.Fatal(err)
	}
	odd := csv(t, "series,time,umbrella\n fine,0,no\n odd,0,no\n odd,1,yes\n")
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"smooth":   {second(net.Smooth(odd)), infer.ErrImpossibleEvidence, `series "odd"`},
		"filter":   {second(net.Filter(odd)), infer.ErrImpossibleEvidence, `series "odd": slice 1`},
		"predict":  {second(net.Predict(odd, 1)), infer.ErrImpossibleEvidence, `series "odd"`},
		"no steps": {second(net.Predict(odd, 0)), nil, "give 1 to"},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
	if _, _, err := net.MostProbable(odd); !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("most probable: error %v", err)
	}
}

// must returns what a function returned that may fail.
func must[T any](x T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// TestJoint: the hidden Markov model over the joint states is the same distribution.
func TestJoint(t *testing.T) {
	two := []bn.Variable{bn.Discrete("a", "0", "1"), bn.Discrete("b", "x", "y", "z"), bn.Discrete("u", "0", "1"),
		bn.Discrete("y", "0", "1")}
	for model, want := range map[string]string{
		"[u][a|a[t-1]:b[t-1]:u][b|b[t-1]:a][y|b:u:a]": "[u][state|state[t-1]:u][y|state:u][state[0]|u]",
		"[u][a|a[t-1]][b|a:u[t-1]][y|b:b[t-1]][y[0]|b]": "[u][state|u[t-1]:state[t-1]][y|state:state[t-1]]" +
			"[state[0]][y[0]|state]",
		"[u][a][b|a:u][y|b:y[t-1]]":                      "[u][state|u][y|state:y[t-1]]",
		"[u|a[t-1]][a|b[t-1]][b|a][b[0]][y|a:b][y[0]|u]": "[u|state[t-1]][state|state[t-1]][y|state][state[0]][y[0]|u]",
	} {
		net := network(t, model, two...)
		random(net, rand.New(rand.NewPCG(10, 0)))
		joint, err := net.Joint("state", "b", "a")
		if err != nil {
			t.Fatal(err)
		}
		if joint.String() != want {
			t.Errorf("joint of %s is %s, want %s", model, joint, want)
		}
		for v := range joint.Template().Len() {
			first := joint.Template().Variable(v).Name
			if first == "u[0]" && !strings.Contains(model, "[u|") {
				numtest.Close(t, joint.Template().CPT(v).P[0], must(joint.Template().Table("u[1]"))(t).P[0], 0, 0)
			}
		}
		s, err := must(net.Sample([]int{4, 1, 7}, rand.NewPCG(11, 0)))(t).Keep("u", "y")
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, must(joint.LogLikelihood(s))(t), must(net.LogLikelihood(s))(t), 1e-12, 1e-12)
		apart, together := must(net.Smooth(s))(t), must(joint.Smooth(s))(t)
		for i := range s.Len() {
			for slice := range s.Length(i) {
				p := together[i][slice].Of("state") // x,0 x,1 y,0 …
				numtest.Close(t, p[1]+p[3]+p[5], apart[i][slice].Of("a")[1], 1e-12, 0)
				numtest.Close(t, p[2]+p[3], apart[i][slice].Of("b")[1], 1e-12, 0)
			}
		}
		state := joint.Variables()[1]
		if state.Name != "state" || strings.Join(state.States, " ") != "x,0 x,1 y,0 y,1 z,0 z,1" {
			t.Errorf("%s: variable %s", model, state)
		}
	}
	x := network(t, "[a|a[t-1]][b|a:x][x]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Discrete("x", "0", "1"))
	between := network(t, "[a|a[t-1]][b|x][x|a]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Discrete("x", "0", "1"))
	number := network(t, "[a][b]", bn.Discrete("a", "0", "1"), bn.Continuous("b"))
	var cycle *bn.CycleError
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"unknown":     {second(x.Joint("s", "a", "c")), bn.ErrUnknownVariable, `"c"`},
		"one":         {second(x.Joint("s", "a")), nil, "at least two"},
		"twice":       {second(x.Joint("s", "a", "a")), bn.ErrDuplicate, `"a"`},
		"taken":       {second(x.Joint("x", "a", "b")), bn.ErrDuplicate, `"x"`},
		"no name":     {second(x.Joint("a:b", "a", "b")), nil, `"a:b"`},
		"continuous":  {second(number.Joint("s", "a", "b")), bn.ErrNotDiscrete, `"b"`},
		"not between": {second(between.Joint("s", "a", "b")), nil, "cycle"},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
	if _, err := between.Joint("s", "a", "b"); !errors.As(err, &cycle) {
		t.Errorf("error %v is no CycleError", err)
	}
	if _, err := x.Joint("a", "a", "b"); err != nil {
		t.Errorf("the name of a member: %v", err)
	}
}

// TestJointGaussian: a continuous sensor of two hidden variables.
func TestJointGaussian(t *testing.T) {
	net := network(t, "[a|a[t-1]][b|b[t-1]][x|b:x[t-1]:a]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Continuous("x"))
	random(net, rand.New(rand.NewPCG(12, 0)))
	s, err := must(net.Sample([]int{5, 3}, rand.NewPCG(13, 0)))(t).Keep("x")
	if err != nil {
		t.Fatal(err)
	}
	joint := must(net.Joint("ab", "a", "b"))(t)
	numtest.Close(t, must(joint.LogLikelihood(s))(t), must(net.LogLikelihood(s))(t), 1e-12, 1e-12)
}
