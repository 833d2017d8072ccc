package structure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// Constrained scores families under constraints on their parameters. A statement applies to the
// families of its variable that have all parents it names, such as
// P(grade=high | sex=f) = P(grade=high | sex=m) to those in which sex is a parent of grade; other
// families are scored by Score as usual. With Score
//
//	LogLikelihood, BIC, AIC   Σ N ln θ − penalty · free,   θ the maximum under the statements,
//	BDeu, K2                  the log marginal likelihood under the Dirichlet prior of Score
//	                          restricted to the statements, where it has a closed form,
//
// where free is Q·(R−1) less one for each independent equality and for each active inequality, without
// which the likelihood would be higher. Constraints make parents cheaper: equal rows are penalized
// once. A constraint that always holds, or an inequality that the maximum satisfies anyway, does not
// change the score. (N06 §4.3 for the classes; scores under them are what B06 §6
// and N06 §7 ask for.)
//
// Statements about the weights of a continuous variable are for LogLikelihood, BIC and AIC: θ is then the regression
// under them, and weights that they tie count once.
//
// A statement that links tables of several variables is an error, as a family's score has one table.
type Constrained struct {
	Statements []constraint.Constraint
	// Score is LogLikelihood, BIC, AIC, BDeu or K2; nil means BIC.
	Score Score

	// Once bound:
	scopes  []scope          // by statement
	ofChild map[string][]int // the statements about the table of a variable
	shapes  *shapes
}

var (
	_ binder        = Constrained{}
	_ fallibleScore = Constrained{}
)

// A scope is the families that a statement applies to.
type scope struct {
	child   string
	parents []string // those it needs
	named   []string // all variables whose names it may look at; nil when that is not known
}

// String names the score and the number of statements.
func (s Constrained) String() string {
	statements := fmt.Sprintf("%d statements", len(s.Statements))
	if len(s.Statements) == 1 {
		statements = "1 statement"
	}
	return s.score().String() + " under " + statements
}

func (s Constrained) score() Score {
	if s.Score == nil {
		return BIC{}
	}
	return s.Score
}

// Bind implements [binder]: it finds the families of each statement. It returns an error for a
// Score that is not listed above, a name that no variable has, and a statement about several
// variables.
func (s Constrained) Bind(vars []bn.Variable) (Score, error) {
	switch s.score().(type) {
	case LogLikelihood, BIC, AIC, BDeu, K2:
	default:
		return nil, say.Errorf("structure: %s takes no statements; use LogLikelihood, BIC, AIC, BDeu or K2", s.score())
	}
	switch s.score().(type) {
	case BDeu, K2:
		if err := takes(s.score(), vars); err != nil {
			return nil, err
		}
	}
	bound := Constrained{Statements: s.Statements, Score: s.score(), ofChild: make(map[string][]int),
		shapes: &shapes{kept: make(map[string]*shape), orders: make(map[string]*orders)}}
	if b, ok := bound.Score.(binder); ok {
		var err error
		if bound.Score, err = b.Bind(vars); err != nil {
			return nil, err
		}
	}
	for i, st := range s.Statements {
		if st == nil {
			return nil, fmt.Errorf("structure: statement %d is nil", i+1)
		}
		where, err := scopeOf(st, vars)
		if err != nil {
			return nil, err
		}
		bound.scopes = append(bound.scopes, where)
		bound.ofChild[where.child] = append(bound.ofChild[where.child], i)
	}
	return bound, nil
}

// Family implements [Score]: NaN where TryFamily returns an error.
func (s Constrained) Family(c *Counts) float64 {
	score, err := s.TryFamily(c)
	if err != nil {
		return math.NaN()
	}
	return score
}

// TryFamily is Family with an error when there is no score: statements that contradict each other or make
// a case impossible ([constraint.ErrInfeasible]), a prior that is improper under them
// ([constraint.ErrImproper]), a marginal likelihood without a closed form, or statements that were
// never bound; a [Scorer] binds them.
func (s Constrained) TryFamily(c *Counts) (float64, error) {
	if len(s.scopes) != len(s.Statements) {
		return 0, errors.New("structure: the statements of a Constrained score are not bound to variables; score " +
			"families by NewScorer, or by what Bind returns")
	}
	s.Score = s.score()
	stated := s.stated(c)
	if len(stated) == 0 {
		return s.Score.Family(c), nil
	}
	if penalty, ok := s.penalty(c); ok {
		if score, ok := s.ordered(c, stated, penalty); ok {
			return score, nil
		}
	}
	f, err := s.shape(c, stated)
	if err == nil && f.problem == nil && f.shared == nil {
		return s.Score.Family(c), nil
	}
	var score float64
	if err == nil {
		score, err = s.scored(f, c)
	}
	if err != nil && f != nil { // it may speak of the parents of a family that is alike
		if f, err = s.newShape(c, stated); err == nil {
			score, err = s.scored(f, c)
		}
	}
	if err != nil {
		return 0, say.Errorf("structure: %w", err)
	}
	return score, nil
}

// scored scores a family about which something is said.
func (s Constrained) scored(f *shape, c *Counts) (float64, error) {
	if penalty, ok := s.penalty(c); ok {
		if f.shared != nil {
			return f.shared.penalised(c, penalty), nil
		}
		return f.penalised(c, penalty)
	}
	if by, ok := s.Score.(BDeu); ok {
		return marginalUnder(f, c, by.size()/float64(c.Q)/float64(c.R))
	}
	return marginalUnder(f, c, 1) // K2
}

// penalty is what each free parameter costs, where the score is a penalised log-likelihood.
func (s Constrained) penalty(c *Counts) (float64, bool) {
	switch s.Score.(type) {
	case LogLikelihood:
		return 0, true
	case AIC:
		return 1, true
	case BIC:
		return math.Log(max(c.Scale*c.Rows, 1)) / 2, true
	}
	return 0, false
}

// stated are the statements that apply to a family.
func (s Constrained) stated(c *Counts) (list []int) {
	for _, i := range s.ofChild[c.Child.Name] {
		if subset(s.scopes[i].parents, c.Parents) {
			list = append(list, i)
		}
	}
	return list
}

// problem returns the network of the family alone, the child last, and which of the statements say something of it.
func (s Constrained) problem(c *Counts, stated []int) (*bn.Network, []constraint.Constraint, error) {
	if len(stated) == 0 {
		return nil, nil, nil
	}
	net, err := familyNetwork(c.Child, c.Parents)
	if err != nil {
		return nil, nil, err
	}
	var statements []constraint.Constraint
	for _, i := range stated {
		st := s.Statements[i]
		if _, err := st.Bind(net); err == nil { // otherwise there is nothing it could speak of, such as rows to share
			statements = append(statements, st)
		}
	}
	return net, statements, nil
}

// subset reports whether all names are those of variables.
func subset(names []string, vars []bn.Variable) bool {
	for _, name := range names {
		if !slices.ContainsFunc(vars, func(v bn.Variable) bool { return v.Name == name }) {
			return false
		}
	}
	return true
}

// marginalUnder is the log marginal likelihood with the Dirichlet parameter alpha in each cell.
func marginalUnder(f *shape, c *Counts, alpha float64) (float64, error) {
	n := f.counts(c)
	pseudocounts := make([]float64, len(n))
	for i := f.first; i < len(n); i++ {
		pseudocounts[i] = alpha - 1
	}
	e, err := f.problem.LogMarginal(context.Background(), n, pseudocounts, nil)
	switch {
	case errors.Is(err, bn.ErrNoSource):
		return 0, say.Errorf("the marginal likelihood of %q under the statements has no closed form; score by BIC",
			c.Child.Name)
	case errors.Is(err, constraint.ErrImproper):
		return 0, say.Errorf("%w; use a larger EquivalentSampleSize, or BIC", err)
	}
	return c.Scale * e.Value, err
}
