package infer

import (
	"math"

	"bnlab/internal/factor"
)

// What follows computes with logarithms what numbers are too small for: cases in which the
// tables of a part contradict each other by more than the exponents of float64 hold, such as a
// value of a linear-Gaussian variable far from its mean in the only state that something else
// allows. It takes an exponential for each product, so it is done for those cases only.

// wide is the range of a linear-Gaussian leaf, e^wide, from which the next may contradict it
// beyond numbers.
const wide = 230

// unsure is the logarithm of a root's value below which entries that count for it may have been
// lost when a leaf was wide.
const unsure = -600

// lost reports whether the tables may have lost what counts in a configuration of the root.
func (t *tree) lost(w *workspace, blk *block, k int) bool { return w.blurred || t.gone(w, blk, k) }

// gone reports whether nothing that counts may be left in a configuration of the root.
func (t *tree) gone(w *workspace, blk *block, k int) bool {
	isWide := t.gauss != nil && w.wide[k]
	if !isWide && !w.deep {
		return false
	}
	sum := 0.0
	for _, x := range t.root(w, blk, k) {
		sum += x
	}
	if !(sum > 0) {
		return true
	}
	x := math.Log(sum)
	if w.scaled {
		x -= float64(w.shift[len(t.nodes)-1][k]) * math.Ln2
	}
	return isWide && x < unsure
}

// evidence computes all tables of a block of one case, in logarithms where numbers do not do,
// and returns the logarithm of the root's value, which has no variables: −∞ when the evidence is
// impossible.
func (m *model) evidence(t *tree, w *workspace, blk *block, c *cases, p parameters, most bool) (float64, error) {
	if err := m.up(t, w, blk, c, p, most); err != nil {
		return 0, err
	}
	if !t.lost(w, blk, 0) {
		return t.log(w, 0, t.root(w, blk, 0)[0]), nil
	}
	if err := m.upLogs(t, w, blk, c, p, most); err != nil {
		return 0, err
	}
	return t.root(w, blk, 0)[0], nil
}

// again computes with logarithms the tables of one configuration of the root, as a block of its
// own, and returns the root's table.
func (m *model) again(t *tree, w *workspace, alone, blk *block, k int32, c *cases, p parameters) ([]float64, error) {
	t.alone(alone, blk, k, blk.first[k])
	if err := m.upLogs(t, w, alone, c, p, false); err != nil {
		return nil, err
	}
	return t.root(w, alone, 0), nil
}

// upLogs is up with logarithms.
func (m *model) upLogs(t *tree, w *workspace, blk *block, c *cases, p parameters, most bool) error {
	if len(w.up) < blk.cells {
		w.up = make([]float64, blk.cells)
	}
	w.logs, w.scaled = true, false
	for i := range t.nodes {
		n, s := &t.nodes[i], &blk.slots[i]
		out := w.up[s.start : s.start+s.n*n.size]
		switch {
		case n.mixture != nil:
			if err := m.logMixture(out, w, n, s, c, p); err != nil {
				return err
			}
		case s.rows != nil:
			for k, row := range s.rows {
				if _, err := m.logLeaf(out[k*n.size:][:n.size], n, s.base[k], row, c, p.densities); err != nil {
					return err
				}
			}
		case n.family >= 0:
			for k, base := range s.base {
				for j, d := range n.distance {
					out[k*n.size+j] = factor.Log(p.theta[base+d])
				}
			}
		default:
			a, b := w.operands(blk, n)
			if most || n.most {
				n.join.MaxLogs(out, a, b, s.a, s.b)
			} else {
				n.join.SumLogs(out, a, b, s.a, s.b)
			}
		}
	}
	return nil
}

// runLost adds the configurations that run lost in a task.
func (p *Plan) runLost(t *task, w *workspace, lost []int32, x parameters, counts, shares []float64) (float64, error) {
	var alone block
	loglik := 0.0
	for _, k := range lost {
		root, err := p.m.again(t.tree, w, &alone, t.block, k, p.c, x)
		if err != nil {
			return 0, err
		}
		if math.IsInf(root[0], -1) {
			return 0, p.c.impossible(p.m.net, int(t.first[k]))
		}
		alone.weight[0] = t.weight[k]
		loglik += t.weight[k] * root[0]
		if counts == nil && shares == nil {
			continue
		}
		t.down(w, &alone, nil, nil)
		if counts != nil {
			t.addCounts(w, &alone, counts)
		}
		if shares == nil {
			continue
		}
		rest := shares[t.place:]
		for _, i := range t.gauss { // their configurations are numbered as those of the root
			size := t.nodes[i].size
			copy(rest[int(k)*size:][:size], w.share[alone.slots[i].start:])
			rest = rest[t.slots[i].n*size:]
		}
	}
	return loglik, nil
}
