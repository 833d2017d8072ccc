package weigh

import "math"

// Held writes to dst the mean of each cell over the tables in which a statement holds, E[x; it holds], and returns the
// probability that it does. A subset without the statement needs the one with it beside it in the list: its tables in
// which the statement holds are distributed as those of that one.
func Held(dst []float64, list []*Subset, weights []float64, statement int) (holds float64) {
	clear(dst)
	at := make(map[uint64]*Subset, len(list))
	for _, s := range list {
		at[s.Imposed] = s
	}
	for j, s := range list {
		with, ok := at[s.Imposed|1<<statement]
		if !ok {
			continue
		}
		w := weights[j] * s.After[statement]
		holds += w
		for cell, x := range with.Mean {
			dst[cell] += w * x
		}
	}
	return holds
}

// An Answer is what to expect of asking whether a statement holds, of someone who is right so often.
type Answer struct {
	Yes float64 // probability of that answer
	// IfYes and IfNo are the expected gains in log score for the next case, in nats: the divergences of the posterior
	// mean after the answer from the one before.
	IfYes, IfNo float64
}

// Gain is the expected gain, the mutual information of the answer and the next case.
func (a Answer) Gain() float64 { return a.Yes*a.IfYes + (1-a.Yes)*a.IfNo }

// Ask finds what to expect, from the mean of the cells, that over tables in which the statement holds ([Held]) and the
// probability that it does; visits are the probabilities that the next case is about each distribution. The answer is
// right with probability reliability, whether the statement holds or not.
func (p *Problem) Ask(mean, held []float64, holds, reliability float64, visits []float64) Answer {
	divergence := func(ifHeld, ifNot, total float64) float64 {
		sum := 0.0
		for r, visit := range visits {
			for cell := p.First[r]; cell < p.First[r+1]; cell++ {
				x := (ifHeld*held[cell] + ifNot*math.Max(0, mean[cell]-held[cell])) / total
				if x > 0 {
					sum += visit * (x*math.Log(x/mean[cell]) - x + mean[cell])
				}
			}
		}
		return sum
	}
	wrong := 1 - reliability
	a := Answer{Yes: reliability*holds + wrong*(1-holds)}
	if a.Yes > 0 {
		a.IfYes = divergence(reliability, wrong, a.Yes)
	}
	if a.Yes < 1 {
		a.IfNo = divergence(wrong, reliability, 1-a.Yes)
	}
	return a
}
