package apn

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// R95 §8 "would also like to investigate the use of APNs for classification rather than density estimation; this
// can be done by altering the optimization goal to minimize the error on specified variables". Here one output is
// the class, all other observed variables are given, and the goal is the likelihood of the class given them, or
// that of all. Each is learned with the right structure, hidden variables included, and with a wrong one in which
// what is given depends on the class alone (naive Bayes).

// A Class is how well one way to learn classifies, by size and draw.
type Class struct {
	Network, Structure, Goal string
	NLL                      [][]float64 // mean negative log-probability of the class of a test case, nats
	Wrong                    [][]float64 // share of the test cases in which another class is more probable
}

// Structures and goals.
const (
	rightStructure = "right"
	naiveStructure = "naive Bayes"
	jointGoal      = "all variables"
	classGoal      = "the class given the rest"
)

// A sorting is a network with one of its observed variables as the class.
type sorting struct {
	name, class string
	hidden      []string
	truth       func(src *rand.PCG) (*bn.Network, error)
}

// sortings are those of the experiment; cars is nil where it cannot be had.
func sortings(cars *bn.Network) []sorting {
	all := []sorting{{"3-1-3", "O1", []string{"H"}, func(src *rand.PCG) (*bn.Network, error) {
		s, err := firstScene(rand.New(src))
		if err != nil {
			return nil, err
		}
		return s.truth, nil
	}}}
	if cars != nil {
		all = append(all, sorting{"insurance", "PropCost", insuranceHidden[:],
			func(*rand.PCG) (*bn.Network, error) { return cars, nil }})
	}
	return all
}

// naive is the network in which all other variables depend on the class alone, without those that are hidden.
func naive(net *bn.Network, class string, hidden []string) (*bn.Network, error) {
	model, vars := "["+class+"]", []bn.Variable(nil)
	for _, v := range net.Variables() {
		if slices.Contains(hidden, v.Name) {
			continue
		}
		vars = append(vars, v)
		if v.Name != class {
			model += "[" + v.Name + "|" + class + "]"
		}
	}
	return bn.New(model, vars...)
}

// classify learns and classifies in all draws. One virtual case in each cell keeps probabilities from zero.
func classify(ctx context.Context, job *run.Job, c Classes, cars *bn.Network) ([]*Class, error) {
	var all []*Class
	for at, s := range sortings(cars) {
		var own []*Class
		for _, structure := range []string{rightStructure, naiveStructure} {
			for _, goal := range []string{jointGoal, classGoal} {
				one := &Class{Network: s.name, Structure: structure, Goal: goal}
				for range c.Sizes {
					one.NLL = append(one.NLL, make([]float64, c.Draws))
					one.Wrong = append(one.Wrong, make([]float64, c.Draws))
				}
				own = append(own, one)
			}
		}
		err := job.Replicates(ctx, "classes, "+s.name, c.Draws, func(replicate int, _ *rand.PCG) error {
			return s.learn(ctx, c, own, replicate, job.Source(classesStream+uint32(at), replicate))
		})
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	return all, nil
}

// learn is one draw: from the same cases, and the same starts of hidden variables, for both goals.
func (s sorting) learn(ctx context.Context, c Classes, own []*Class, replicate int, src *rand.PCG) error {
	truth, err := s.truth(src)
	if err != nil {
		return err
	}
	most := c.Sizes[len(c.Sizes)-1]
	complete, err := data.Sample(truth, most+c.Test, src)
	if err != nil {
		return err
	}
	cases, err := complete.Keep(study{structure: truth, hidden: s.hidden}.observed()...)
	if err != nil {
		return err
	}
	test := cases.Select(cases.Complement(firstRows(most)))
	simple, err := naive(truth, s.class, s.hidden)
	if err != nil {
		return err
	}
	for i, size := range c.Sizes {
		set := settings(src, truth, c.Starts)
		for _, one := range own {
			net, of := truth, *set
			if one.Structure == naiveStructure { // all is observed: one maximum
				net, of.Starts = simple, 1
			}
			method := learn.APN{Pseudocount: 1}
			if one.Goal == classGoal {
				method.Targets = []string{s.class}
			}
			fit, err := learn.Fit(ctx, net, cases.Head(size), method, &of)
			if err != nil {
				return say.Errorf("%s, %s, %s: %w", s.name, one.Structure, one.Goal, err)
			}
			one.NLL[i][replicate], one.Wrong[i][replicate], err = s.judge(fit.Net, test)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// judge classifies test cases.
func (s sorting) judge(net *bn.Network, test *data.Table) (nll, wrong float64, err error) {
	net = floored(net)
	score, err := metric.ConditionalLogScore(net, test, s.class)
	if err != nil {
		return 0, 0, err
	}
	predicted, err := metric.Predict(net, test, s.class)
	if err != nil {
		return 0, 0, err
	}
	classified, err := predicted.Confusion(nil)
	if err != nil {
		return 0, 0, err
	}
	return -score.Average, 1 - classified.Accuracy(), nil
}
