package validate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// A Learner is a method to compare with others. Of several candidates the best is selected for each
// training set, by an inner cross-validation.
//
// With a Search the graph is learned from each training set too, over the variables of the network that is validated,
// whose own arcs are not used then: structure.TAN and structure.NaiveBayes make classifiers, any other search the
// network that it finds. Statements of the candidates must be about arcs that every such graph has, such as those from
// the class.
type Learner struct {
	Name       string
	Candidates []learn.Method
	Search     structure.Search // nil takes the graph as given
	Score      structure.Score  // of Search; nil means structure.BIC
	Rules      *structure.Rules // of Search
}

// A contender is a learner made ready.
type contender struct {
	name       string
	settings   []string // the candidates in words
	candidates []estimator
}

// An estimator learns from training cases and predicts.
type estimator interface {
	// predict returns the distributions of the target by place, at least those of the places
	// among the items of test. They are valid until the next call with the same buffer.
	predict(ctx context.Context, train, test *part, buffer *buffer, src rand.Source) ([][]float64, error)
}

// A buffer is reused from fit to fit by one goroutine.
type buffer struct {
	theta []float64
	flat  []float64
	dist  [][]float64
}

// byCounts estimates from counts.
type byCounts struct {
	s *sample
	c *learn.Compiled
}

func (e byCounts) predict(_ context.Context, train, test *part, b *buffer, _ rand.Source) ([][]float64, error) {
	d := e.s.dense
	if len(b.theta) != len(train.n) || len(b.dist) != d.contexts {
		*b = buffer{make([]float64, len(train.n)), make([]float64, d.contexts*d.states), make([][]float64, d.contexts)}
		for c := range b.dist {
			b.dist[c] = b.flat[c*d.states : (c+1)*d.states]
		}
	}
	if err := e.c.Tables(b.theta, train.n); err != nil {
		return nil, err
	}
	last := -1
	for _, it := range test.items {
		if it.place == last {
			continue
		}
		if last = it.place; !d.distribution(b.dist[last], last, b.theta) {
			return nil, fmt.Errorf("the estimate gives probability zero to the rest of test case %d, whatever the "+
				"target; give pseudocounts", it.row+1)
		}
	}
	return b.dist, nil
}

// byRows fits to rows: with missing cells, continuous variables, or a method that iterates.
type byRows struct {
	s   *sample
	net *bn.Network
	m   learn.Method
	set learn.Settings
}

func (e byRows) predict(ctx context.Context, train, test *part, _ *buffer, src rand.Source) ([][]float64, error) {
	set := e.set
	set.Seed = src.Uint64()
	r, err := learn.Fit(ctx, e.net, e.s.table.Select(train.rows), e.m, &set)
	if err != nil {
		return nil, err
	}
	found, err := metric.Predict(r.Net, e.s.table.Select(test.rows), e.s.target.Name)
	if err != nil {
		return nil, say.Errorf("test cases: %w", err)
	}
	dist := make([][]float64, e.s.table.Rows()) // there are no more places than rows
	for i, row := range test.rows {
		dist[e.s.place(row)] = found.P[i]
	}
	return dist, nil
}

// bySearch learns the graph first.
type bySearch struct {
	byRows
	l Learner
}

func (e bySearch) predict(ctx context.Context, train, test *part, b *buffer, src rand.Source) ([][]float64, error) {
	score := e.l.Score
	if score == nil {
		score = structure.BIC{}
	}
	var names []string
	for _, v := range e.s.net.Variables() {
		names = append(names, v.Name)
	}
	cases, err := e.s.table.Select(train.rows).Keep(names...)
	if err != nil {
		return nil, err
	}
	how := ownSource(e.l.Search, src)
	found, err := structure.Learn(ctx, cases, score, how, &structure.Settings{Rules: e.l.Rules, Workers: 1})
	if err != nil {
		return nil, err
	}
	net, err := e.s.over(found.DAG)
	if err != nil {
		return nil, err
	}
	own := e.byRows
	own.net = net
	return own.predict(ctx, train, test, b, src)
}

// ownSource is a search that draws from a source of its own, where it draws at all.
func ownSource(how structure.Search, src rand.Source) structure.Search {
	h, ok := how.(structure.HillClimb)
	if p, isPointer := how.(*structure.HillClimb); isPointer && p != nil {
		h, ok = *p, true
	}
	if !ok || h.Source == nil {
		return how
	}
	h.Source = rand.NewPCG(src.Uint64(), src.Uint64())
	return h
}

// over returns a network over a graph of the variables.
func (s *sample) over(g *bn.DAG) (*bn.Network, error) {
	vars := make([]bn.Variable, g.Len())
	for v := range vars {
		i, err := s.net.Index(g.Name(v))
		if err != nil {
			return nil, err
		}
		vars[v] = s.net.Variable(i)
	}
	return bn.NewNetwork(g, vars)
}

// ready compiles the learners.
func (s *sample) ready(learners []Learner, set *Settings) (out []contender, err error) {
	if len(learners) == 0 {
		return nil, errors.New("validate: no learners; give at least one")
	}
	if slices.ContainsFunc(learners, func(l Learner) bool { return l.Search != nil }) {
		s.dense = nil // contexts are those of the network that was given
	}
	out = make([]contender, len(learners))
	seen := make(map[string]bool)
	var last *learn.Compiled
	for i, l := range learners {
		switch {
		case l.Name == "":
			return nil, fmt.Errorf("validate: learner %d has no name", i+1)
		case seen[l.Name]:
			return nil, say.Errorf("validate: %w: two learners are called %q", bn.ErrDuplicate, l.Name)
		case len(l.Candidates) == 0:
			return nil, say.Errorf("validate: learner %q has no candidates; give one method, or several to choose from",
				l.Name)
		}
		seen[l.Name] = true
		out[i].name = l.Name
		for k, m := range l.Candidates {
			if m == nil {
				return nil, say.Errorf("validate: candidate %d of learner %q is nil", k+1, l.Name)
			}
			out[i].settings = append(out[i].settings, m.String())
			rows := byRows{s, s.net, m, set.fit()}
			if l.Search != nil {
				out[i].candidates = append(out[i].candidates, bySearch{rows, l})
				continue
			}
			if s.dense == nil || learn.Iterates(m) {
				out[i].candidates = append(out[i].candidates, rows)
				continue
			}
			if last == nil {
				last, err = learn.Compile(s.net, m)
			} else {
				last, err = last.With(m) // neighbours often differ in the prior only
			}
			if err != nil {
				return nil, say.Errorf("validate: learner %q: %w", l.Name, err)
			}
			out[i].candidates = append(out[i].candidates, byCounts{s, last})
		}
	}
	return out, nil
}
