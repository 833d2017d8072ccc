package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// evidenceRows are the rows of a frame as evidence on all variables but the target.
type evidenceRows struct {
	target string
	t      *data.Table      // states and numbers
	soft   []infer.Evidence // by row, what is neither; nil when no row has any
}

// evidenceRows reads the rows of a frame. Variables with soft evidence need no other column.
func (m *Model) evidenceRows(f *frame, target string) (*evidenceRows, error) {
	rest, soft, columns, err := f.soft(m.Net.Variables(), target)
	if err != nil {
		return nil, err
	}
	open := append(slices.Clone(m.Hidden), target)
	for _, c := range columns {
		open = append(open, c.v.Name)
	}
	t, err := m.cases(rest.unseen(m.Net, target), open...)
	if err != nil {
		return nil, err
	}
	for row, found := range soft {
		for _, name := range slices.Sorted(maps.Keys(found)) {
			if c, err := t.Column(name); err == nil && name != target && !c.IsMissing(row) {
				return nil, say.Errorf("bnkit: row %d: %w: %q is %s and also %v; leave one out", row+1, bn.ErrDuplicate,
					name, c.Text(row), found[name])
			}
		}
	}
	if err := m.otherUnits(t, target); err != nil {
		return nil, err
	}
	return &evidenceRows{target, t, soft}, nil
}

// unseen is the frame without the column of a variable, whatever is in it, unless another is read from it too.
func (f *frame) unseen(net *bn.Network, name string) *frame {
	v, err := net.Index(name)
	if err != nil {
		return f
	}
	column := f.shownBy(net.Variable(v))
	for u, other := range net.Variables() {
		if column == "" || u != v && f.shownBy(other) == column {
			return f
		}
	}
	rest := *f
	rest.at = maps.Clone(f.at)
	delete(rest.at, trimName(column))
	return &rest
}

// variables names the target and what the rows tell of.
func (r *evidenceRows) variables() []string {
	names := []string{r.target}
	for _, c := range r.t.Columns() {
		names = append(names, c.Var.Name)
	}
	for _, found := range r.soft {
		names = slices.AppendSeq(names, maps.Keys(found))
	}
	slices.Sort(names[1:])
	return slices.Compact(names)
}

// predict returns the distribution of the target in each row. Rows with the same evidence share theirs.
func (r *evidenceRows) predict(net *bn.Network) ([][]float64, error) {
	hard, err := metric.Predict(net, r.t, r.target)
	if err != nil {
		return nil, err
	}
	if r.soft == nil {
		return hard.P, nil
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return nil, err
	}
	return r.predictSoft(hard.P, engine)
}

// predictor is predict for many networks that differ from net in their parameters only.
func (r *evidenceRows) predictor(net *bn.Network) (func(*bn.Network) ([][]float64, error), error) {
	first, err := metric.Predict(net, r.t, r.target)
	if err != nil {
		return nil, err
	}
	hardOnly := func(net *bn.Network) ([][]float64, error) {
		hard, err := first.With(net)
		if err != nil {
			return nil, err
		}
		return hard.P, nil
	}
	if r.soft == nil {
		return hardOnly, nil
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return nil, err
	}
	return func(net *bn.Network) ([][]float64, error) {
		p, err := hardOnly(net)
		if err != nil {
			return nil, err
		}
		engine, err := engine.With(net)
		if err != nil {
			return nil, err
		}
		return r.predictSoft(p, engine)
	}, nil
}

// predictSoft puts into p the distribution in the rows with soft evidence.
func (r *evidenceRows) predictSoft(p [][]float64, engine *infer.Engine) ([][]float64, error) {
	known := make(map[string][]float64)
	for row, found := range r.soft {
		if found == nil {
			continue
		}
		evidence, key := r.evidence(row)
		if known[key] == nil {
			post, err := engine.Posterior(evidence, r.target)
			if err != nil {
				return nil, say.Errorf("row %d: %w", row+1, err)
			}
			known[key] = post.P[0]
		}
		p[row] = known[key]
	}
	return p, nil
}

// evidence is what is known of a row, with a text that only rows with the same share.
func (r *evidenceRows) evidence(row int) (infer.Evidence, string) {
	all := maps.Clone(r.soft[row])
	for _, c := range r.t.Columns() {
		switch {
		case c.Var.Name == r.target || c.IsMissing(row):
		case c.Var.IsDiscrete():
			all[c.Var.Name] = c.Text(row)
		default:
			all[c.Var.Name] = c.Values[row]
		}
	}
	return all, fmt.Sprintf("%#v", all)
}

// softSeries reads series as a question takes them, with soft evidence in columns and cells.
func softSeries(net *dbn.Network, f *frame, how reading) (*dbn.Series, error) {
	rest, soft, columns, err := f.soft(net.Variables(), "")
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		how.open = append(how.open, c.v.Name)
	}
	vars := net.Variables()
	if slices.ContainsFunc(vars, func(v bn.Variable) bool { return rest.has(v.Name) }) {
		if _, err := rest.unnoticed(vars, how.discretization, how.open, "name the variable as a target, or "+
			"declare it as hidden (bn.Variable.Hidden)", "series", "time"); err != nil {
			return nil, err
		}
	}
	s, err := seriesOf(net, rest, how)
	if err != nil || soft == nil {
		return s, err
	}
	name, err := s.Table().Column("series")
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	at, err := s.Table().Column("time")
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	for row, found := range soft {
		if found == nil {
			continue
		}
		var time float64
		if !at.Var.IsDiscrete() {
			time = at.Values[row]
		} else if time, err = strconv.ParseFloat(at.Text(row), 64); err != nil {
			return nil, say.Errorf("bnkit: row %d: %w", row+1, err) // NewSeries has read it
		}
		s, err = s.Given(name.Text(row), int64(time), found)
		if err != nil {
			return nil, say.Errorf("bnkit: row %d: %w", row+1, err)
		}
	}
	return s, nil
}
