package infer

import (
	"encoding/binary"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
)

// A group is a part of the network with the cases in which exactly it is hidden. Cases
// with different missing cells meet in the groups that they have in common.
type group struct {
	part
	rows []int32
}

// patterns numbers the cases by which variables are observed.
func (m *model) patterns(c *cases) (keys, []int32) {
	var j joiner
	k := alike(c.rows)
	for v := range m.net.Len() {
		missing := keys{make([]int32, c.rows), 2}
		for row := range c.rows {
			if !c.observed(v, row) {
				missing.of[row] = 1
			}
		}
		k = j.join(k, missing)
	}
	first := make([]int32, k.n)
	for row := c.rows - 1; row >= 0; row-- {
		first[k.of[row]] = int32(row)
	}
	return k, first
}

// groups cuts each case into the hidden parts of the network. wanted says which variables
// count although nothing observed depends on them.
func (m *model) groups(c *cases, wanted func(v int) bool) ([]group, error) {
	pattern, first := m.patterns(c)
	members := make([][]int32, len(first))
	for row, p := range pattern.of {
		members[p] = append(members[p], int32(row))
	}
	var list []group
	index := make(map[string]int)
	for p, rows := range members {
		if len(rows) == 0 {
			continue
		}
		observed := func(v int) bool { return c.observed(v, int(first[p])) }
		relevant := m.relevant(func(v int) bool { return observed(v) || wanted(v) })
		for _, q := range m.parts(relevant, observed) {
			name := q.name()
			i, ok := index[name]
			if !ok {
				i = len(list)
				index[name] = i
				list = append(list, group{part: q})
			}
			list[i].rows = append(list[i].rows, rows...)
		}
	}
	return list, nil
}

// name tells parts apart.
func (p part) name() string {
	b := make([]byte, 0, 2*(len(p.hidden)+len(p.continuous)+len(p.families))+2)
	for _, v := range p.hidden {
		b = binary.AppendUvarint(b, uint64(v)+1)
	}
	b = append(b, 0)
	for _, v := range p.continuous {
		b = binary.AppendUvarint(b, uint64(v)+1)
	}
	b = append(b, 0)
	for _, f := range p.families {
		b = binary.AppendUvarint(b, uint64(f)+1)
	}
	return string(b)
}

// known is a table entry that some cases observe outright: all members of its family are
// known in them.
type known struct {
	cell   int32
	first  int32 // a case
	weight float64
}

// knowns adds up the cases over the families that are observed outright, and the weighted
// logarithms of the densities of observed linear-Gaussian variables.
func (m *model) knowns(c *cases) (list []known, density float64, err error) {
	for f := range m.families {
		rows := m.complete(f, c)
		if len(rows) == 0 {
			continue
		}
		fam := &m.families[f]
		base := m.bases(f, c, rows)
		if fam.gauss {
			for i, row := range rows {
				x, err := m.logDensity(m.own.densities[f], f, base[i], c, row)
				if err != nil {
					return nil, 0, err
				}
				if math.IsInf(x, -1) {
					return nil, 0, c.impossible(m.net, int(row))
				}
				density += c.weight[row] * x
			}
			continue
		}
		weight, first := make([]float64, fam.entries), make([]int32, fam.entries)
		for i := len(rows) - 1; i >= 0; i-- {
			at := base[i] - int32(fam.lo)
			weight[at] += c.weight[rows[i]]
			first[at] = rows[i]
		}
		for at, w := range weight {
			if w > 0 {
				list = append(list, known{int32(fam.lo + at), first[at], w})
			}
		}
	}
	return list, density, nil
}

// logKnown is the log-likelihood of known entries under theta.
func (m *model) logKnown(list []known, c *cases, theta []float64) (float64, error) {
	loglik := 0.0
	for _, k := range list {
		if !(theta[k.cell] > 0) {
			return 0, c.impossible(m.net, int(k.first))
		}
		loglik += k.weight * factor.Log(theta[k.cell])
	}
	return loglik, nil
}

// complete lists the cases in which every member of a family is observed.
func (m *model) complete(f int, c *cases) []int32 {
	fam := &m.families[f]
	var rows []int32
next:
	for row := range c.rows {
		if !c.observed(f, row) {
			continue
		}
		for _, v := range fam.members {
			if c.states[v] == nil || c.states[v][row] == bn.Missing {
				continue next
			}
		}
		for _, v := range fam.linear {
			if !c.observed(v, row) {
				continue next
			}
		}
		rows = append(rows, int32(row))
	}
	return rows
}
