// Package redraw draws cases from a network with the missing cells, the weights and the interventions of others: one
// data set of a parametric bootstrap.
package redraw

import (
	"math"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// most is the number of cases up to which as many are drawn as there are. Of more the same part of all is drawn: the
// law of a likelihood ratio does not depend on the number of many cases.
const most = 20000

// Table draws, for each case of t, one from the network, and leaves missing what is missing there. A row of weight w
// is w cases, parts of cases being added up over rows; columns that are no variables of the network are left out. In
// rows in which variables were set they have the values of t, and no parents.
func Table(t *data.Table, net *bn.Network, src rand.Source) (*data.Table, error) {
	rows := expand(t)
	columns := make([]data.Column, 0, net.Len()) // of t
	out := make([]data.Column, 0, net.Len())
	var of []int // the variable of a column
	for v := range net.Len() {
		col, err := t.Column(net.Variable(v).Name)
		if err != nil {
			continue // hidden
		}
		drawn := data.Column{Var: net.Variable(v)}
		if drawn.Var.IsDiscrete() {
			drawn.States = make([]bn.State, len(rows))
		} else {
			drawn.Values = make([]float64, len(rows))
		}
		columns, out, of = append(columns, col), append(out, drawn), append(of, v)
	}
	marks := make([]string, len(rows))
	for _, g := range groups(t, net, rows, marks) {
		from := net
		if len(g.set) > 0 {
			var err error
			if from, err = net.Do(g.set...); err != nil {
				return nil, say.Errorf("cases that were intervened on: %w", err)
			}
		}
		sample, err := data.Sample(from, len(g.rows), src)
		if err != nil {
			return nil, err
		}
		drawn := sample.Columns()
		for c := range out {
			for i, row := range g.rows {
				switch missing := columns[c].IsMissing(rows[row]); {
				case missing && out[c].States != nil:
					out[c].States[row] = bn.Missing
				case missing:
					out[c].Values[row] = math.NaN()
				case out[c].States != nil:
					out[c].States[row] = drawn[of[c]].States[i]
				default:
					out[c].Values[row] = drawn[of[c]].Values[i]
				}
			}
		}
	}
	table, err := data.New(out...)
	if err != nil || t.Regimes() == nil {
		return table, err
	}
	return table.WithInterventions("", marks)
}

// expand lists the rows of t, each as often as it has cases.
func expand(t *data.Table) []int {
	weights, total := t.Weights(), t.TotalWeight()
	part := min(1, most/total)
	if part*total < 1 {
		part = 1 / total
	}
	rows := make([]int, 0, min(most, t.Rows()))
	cases := 0.0
	for row := range t.Rows() {
		w := 1.0
		if weights != nil {
			w = weights[row]
		}
		cases += w * part
		for float64(len(rows))+1 <= cases*(1+1e-12) {
			rows = append(rows, row)
		}
	}
	return rows
}

// A group are rows that are drawn from one network.
type group struct {
	set  []bn.Intervention
	rows []int // of those that are drawn
}

// groups divides the rows by what was set, and to what, and writes the names of what was set to marks.
func groups(t *data.Table, net *bn.Network, rows []int, marks []string) []group {
	regimes := t.Regimes()
	if regimes == nil {
		all := group{rows: make([]int, len(rows))}
		for i := range rows {
			all.rows[i] = i
		}
		return []group{all}
	}
	regimeOf := make([]int, t.Rows())
	for i, r := range regimes {
		for _, row := range r.Index {
			regimeOf[row] = i
		}
	}
	var list []group
	at := make(map[string]int)
	for i, row := range rows {
		var set []bn.Intervention
		var names []string
		key := ""
		for _, name := range regimes[regimeOf[row]].Set {
			col, err := t.Column(name)
			if _, unknown := net.Index(name); err != nil || unknown != nil {
				continue
			}
			set, names = append(set, bn.Set(name, col.Text(row))), append(names, name)
			key += "\x00" + name + "\x00" + col.Text(row)
		}
		marks[i] = strings.Join(names, ";")
		g, seen := at[key]
		if !seen {
			g = len(list)
			at[key], list = g, append(list, group{set: set})
		}
		list[g].rows = append(list[g].rows, i)
	}
	return list
}
