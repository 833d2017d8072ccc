package infer

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/elimination"
)

// barren adds up, by variable, the weight of the cases in which neither it nor anything that depends on it is
// observed.
func (m *model) barren(c *cases) []float64 {
	weight := make([]float64, m.net.Len())
	pattern, first := m.patterns(c)
	relevant := make([]elimination.Set, len(first))
	for p, row := range first {
		relevant[p] = m.relevant(func(v int) bool { return c.observed(v, int(row)) })
	}
	for row, p := range pattern.of {
		for v := range weight {
			if !relevant[p].Has(v) {
				weight[v] += c.weight[row]
			}
		}
	}
	return weight
}

// AddObservedMoments reports whether a continuous variable is summed out in some case. Then it adds to m, for each
// linear-Gaussian variable and in all configurations of its discrete parents alike, the rows in which it and its
// continuous parents are observed, with zeros for parents that no case observes; where such rows are few,
// those in which it is observed, with zeros for all parents. Regressions on these rows are where a fit can
// start; without a hidden variable those on [Plan.ExpectMoments] are as good, and nothing is added.
func (p *Plan) AddObservedMoments(m *data.Moments) bool {
	if !slices.ContainsFunc(p.tasks, func(t task) bool {
		return slices.ContainsFunc(t.nodes, func(n node) bool { return n.mixture != nil })
	}) {
		return false
	}
	m.Rows += p.Weight()
	for v, factors := range m.Factors {
		if factors == nil {
			continue
		}
		rows, few := p.observedRows(v, slices.DeleteFunc(slices.Clone(p.m.families[v].linear), p.never))
		if few {
			rows, _ = p.observedRows(v, nil)
		}
		for config := range factors {
			own := rows
			own.R = slices.Clone(rows.R)
			factors[config] = factors[config].Merge(own)
		}
	}
	return true
}

// observedRows gathers the rows of a linear-Gaussian variable in which it and the given parents are observed, with
// zeros for its other parents. few says that they hardly tell a variance.
func (p *Plan) observedRows(v int, parents []int) (rows data.Factor, few bool) {
	linear := p.m.families[v].linear
	z := make([]float64, len(linear)+2)
	n := 0
next:
	for row := range p.c.rows {
		if !p.c.observed(v, row) {
			continue
		}
		z[0], z[len(z)-1] = 1, p.c.values[v][row]
		for i, u := range linear {
			switch {
			case !slices.Contains(parents, u):
				z[i+1] = 0
			case !p.c.observed(u, row):
				continue next
			default:
				z[i+1] = p.c.values[u][row]
			}
		}
		rows.Add(p.c.weight[row], z)
		n++
	}
	return rows, n < 2*(len(parents)+2)
}

// never reports whether no case observes a variable.
func (p *Plan) never(v int) bool {
	for row := range p.c.rows {
		if p.c.observed(v, row) {
			return false
		}
	}
	return true
}

// addMixture adds to m the expected moments of the families of a mixture: with weight P(configuration | case)
// that of the row of expected values, and once for all cases the covariance of what is hidden in it,
//
//	E[z'z | configuration, case] = E[z]'E[z] + Cov(z).
func (p *Plan) addMixture(m *data.Moments, n *node, s *slot, shares []float64, gaussians []*bn.LinearGaussian) {
	var x mixing
	mx := n.mixture
	hidden := make(map[int]bool, len(mx.hidden))
	for _, v := range mx.hidden {
		hidden[v] = true
	}
	var z []float64
	_ = x.each(n, s, gaussians, func(entry int) error { // f has no errors
		total := 0.0
		for _, k := range x.at {
			total += shares[k*n.size+entry]
		}
		if !(total > 0) {
			return nil
		}
		x.space.Solve(mx.plan, gaussians, x.configs, p.c.values, x.rows)
		x.space.Back()
		value := func(v, i int) float64 {
			if hidden[v] {
				return x.space.Means(v)[i]
			}
			return p.c.values[v][x.rows[i]]
		}
		for i, f := range mx.families {
			to := &m.Factors[f][x.configs[i]]
			parents := p.m.families[f].linear
			for j, k := range x.at {
				weight := shares[k*n.size+entry]
				if !(weight > 0) {
					continue
				}
				z = append(z[:0], 1)
				for _, u := range parents {
					z = append(z, value(u, j))
				}
				z = append(z, value(f, j))
				to.Add(weight, z)
			}
			members := append(parents[:len(parents):len(parents)], f)
			cov := make([]float64, len(members)*len(members))
			for a, u := range members {
				for b, v := range members[:a+1] {
					if hidden[u] && hidden[v] {
						cov[a*len(members)+b] = x.space.Covariance(u, v)
					}
				}
			}
			addCovariance(to, total, cov)
		}
		return nil
	})
}

// addCovariance adds weight · the covariance of all members of a row but the 1, given by its lower triangle, which
// is overwritten: the rows of its Cholesky factor. Where a member is a function of those before it but for
// rounding, it has none of its own.
func addCovariance(to *data.Factor, weight float64, cov []float64) {
	k := int(math.Sqrt(float64(len(cov))))
	n := to.N
	z := make([]float64, k+1)
	own := make([]float64, k)
	for i := range k {
		own[i] = cov[i*k+i]
	}
	for j := range k {
		pivot := cov[j*k+j]
		if !(pivot > 1e-14*own[j]) {
			continue
		}
		root := math.Sqrt(pivot)
		clear(z)
		for i := j; i < k; i++ {
			z[i+1] = cov[i*k+j] / root
		}
		for i := j + 1; i < k; i++ {
			for l := j + 1; l <= i; l++ {
				cov[i*k+l] -= z[i+1] * z[l+1]
			}
		}
		to.Add(weight, z)
	}
	to.N = n
}
