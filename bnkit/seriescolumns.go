package bnkit

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/series"

	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
)

// probabilities are the columns of discrete targets; at is told of each row.
func probabilities(net *dbn.Network, s *dbn.Series, targets []string, first func(i int) int, at *where,
	question func(*dbn.Network, *dbn.Series) ([][]infer.Posteriors, error)) ([]series.Series, error) {
	found, err := question(net, s)
	if err != nil {
		return nil, err
	}
	var variables, states []string
	var probabilities []float64
	for i := range found {
		for slice, p := range found[i] {
			for k, v := range p.Variables {
				if !slices.Contains(targets, v.Name) {
					continue
				}
				for state, x := range p.P[k] {
					at.add(s, i, first(i)+slice)
					variables, states, probabilities = append(variables, v.Name), append(states, v.States[state]),
						append(probabilities, x)
				}
			}
		}
	}
	return []series.Series{
		series.New(variables, series.String, "variable"),
		series.New(states, series.String, "state"),
		series.New(probabilities, series.Float, "probability"),
	}, nil
}

// means are the columns of continuous targets.
func means(net *dbn.Network, s *dbn.Series, targets []string, first func(i int) int, at *where,
	question func(*dbn.Network, *dbn.Series) ([][]infer.Expectation, error)) ([]series.Series, error) {
	found, err := question(net, s)
	if err != nil {
		return nil, err
	}
	var variables []string
	var mean, sd []float64
	for i := range found {
		for slice, x := range found[i] {
			for k, v := range x.Variables {
				if !slices.Contains(targets, v.Name) {
					continue
				}
				at.add(s, i, first(i)+slice)
				variables, mean = append(variables, v.Name), append(mean, x.Mean[k])
				sd = append(sd, math.Sqrt(max(0, x.Covariance[k][k])))
			}
		}
	}
	return []series.Series{
		series.New(variables, series.String, "variable"),
		series.New(mean, series.Float, "mean"),
		series.New(sd, series.Float, "sd"),
	}, nil
}

// where are the columns series and time of an answer.
type where struct {
	names []string
	times []int
	far   int64 // a time that is no int where it has 32 bits
}

func (w *where) add(s *dbn.Series, i, slice int) {
	t := s.Time(i, slice)
	if t < math.MinInt || t > math.MaxInt {
		w.far = t
	}
	w.names, w.times = append(w.names, s.Name(i)), append(w.times, int(t))
}

func (w *where) columns() ([]series.Series, error) {
	if w.far != 0 {
		return nil, fmt.Errorf("bnkit: the time %d does not fit in an int of this machine; count times from the first",
			w.far)
	}
	return []series.Series{series.New(w.names, series.String, "series"), series.New(w.times, series.Int, "time")}, nil
}
