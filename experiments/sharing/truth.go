package sharing

import (
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// truth is a true distribution T over the states of one variable X, and which of
// them share a parameter.
type truth struct {
	p      []float64
	groups [][]int // states of each shared parameter, in order
}

// drawTruth draws T as N06 §5.1.1 says: a parameter v, uniform in (0, 1), is put
// into the first s free places, s uniform in 2 … MaxPlaces, until Shared places
// are filled; the last run is cut there. Every other place gets a parameter of its
// own, uniform in (0, 1). Then all are divided by their sum.
func drawTruth(c Config, rng *rand.Rand) truth {
	t := truth{p: make([]float64, 0, c.States)}
	for len(t.p) < c.Shared {
		v, s := open(rng), 2+rng.IntN(c.MaxPlaces-1)
		var group []int
		for ; s > 0 && len(t.p) < c.Shared; s-- {
			group = append(group, len(t.p))
			t.p = append(t.p, v)
		}
		t.groups = append(t.groups, group)
	}
	for len(t.p) < c.States {
		t.p = append(t.p, open(rng))
	}
	sum := 0.0
	for _, v := range t.p {
		sum += v
	}
	for i := range t.p {
		t.p[i] /= sum
	}
	return t
}

// DrawTruth draws T as the experiment does, for others that need it: T as a network of
// one variable X, and the statement of the oracle that knows its groups.
func DrawTruth(c Config, rng *rand.Rand) (*bn.Network, constraint.ShareStates, error) {
	t := drawTruth(c, rng)
	net, err := t.network()
	return net, t.statement(), err
}

// open draws from the open interval (0, 1).
func open(rng *rand.Rand) float64 {
	for {
		if v := rng.Float64(); v > 0 {
			return v
		}
	}
}

// network is T as a network of one variable.
func (t truth) network() (*bn.Network, error) {
	states := make([]string, len(t.p))
	for i := range states {
		states[i] = stateName(i)
	}
	net, err := bn.New("[X]", bn.Discrete("X", states...))
	if err != nil {
		return nil, err
	}
	copy(net.CPT(0).P, t.p)
	return net, nil
}

// statement is what the oracle of N06 tells PDKBN.
func (t truth) statement() constraint.ShareStates {
	s := constraint.ShareStates{Var: "X"}
	for _, group := range t.groups {
		var names []string
		for _, state := range group {
			names = append(names, stateName(state))
		}
		s.Groups = append(s.Groups, names)
	}
	return s
}

func stateName(state int) string { return fmt.Sprintf("x%d", state+1) }
