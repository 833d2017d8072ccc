package structure

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
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

	scopes []scope // by statement, once bound
}

var (
	_ binder        = Constrained{}
	_ fallibleScore = Constrained{}
)

// A scope is the families that a statement applies to.
type scope struct {
	child   string
	parents []string // those it needs
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
		return nil, fmt.Errorf("structure: %s takes no statements; use LogLikelihood, BIC, AIC, BDeu or K2", s.score())
	}
	switch s.score().(type) {
	case BDeu, K2:
		if err := takes(s.score(), vars); err != nil {
			return nil, err
		}
	}
	bound := Constrained{Statements: s.Statements, Score: s.score()}
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
	net, statements, err := s.problem(c)
	if err != nil {
		return 0, err
	}
	if len(statements) == 0 {
		return s.Score.Family(c), nil
	}
	p, err := constraint.Compile(net, statements...)
	if err != nil {
		return 0, fmt.Errorf("structure: %w", err)
	}
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(net.Len() - 1)
	copy(n[lo:hi], c.N)
	var score float64
	switch by := s.Score.(type) {
	case BDeu:
		score, err = marginalUnder(p, n, c, by.size()/float64(c.Q)/float64(c.R))
	case K2:
		score, err = marginalUnder(p, n, c, 1)
	case AIC:
		score, err = penalised(net, p, n, c, 1)
	case BIC:
		score, err = penalised(net, p, n, c, math.Log(max(c.Scale*c.Rows, 1))/2)
	default:
		score, err = penalised(net, p, n, c, 0)
	}
	if err != nil {
		return 0, fmt.Errorf("structure: %w", err)
	}
	return score, nil
}

// problem returns the network of the family alone, the child last, and what is stated of it.
func (s Constrained) problem(c *Counts) (*bn.Network, []constraint.Constraint, error) {
	var stated []constraint.Constraint
	for i, where := range s.scopes {
		if where.child == c.Child.Name && subset(where.parents, c.Parents) {
			stated = append(stated, s.Statements[i])
		}
	}
	if len(stated) == 0 {
		return nil, nil, nil
	}
	net, err := familyNetwork(c.Child, c.Parents)
	if err != nil {
		return nil, nil, fmt.Errorf("structure: %w", err)
	}
	var statements []constraint.Constraint
	for _, st := range stated {
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
func marginalUnder(p *constraint.Problem, n []float64, c *Counts, alpha float64) (float64, error) {
	pseudocounts := make([]float64, len(n))
	for i := len(n) - len(c.N); i < len(n); i++ {
		pseudocounts[i] = alpha - 1
	}
	e, err := p.LogMarginal(n, pseudocounts, nil)
	switch {
	case errors.Is(err, bn.ErrNoSource):
		return 0, fmt.Errorf("the marginal likelihood of %q under the statements has no closed form; score by BIC: %w",
			c.Child.Name, err)
	case errors.Is(err, constraint.ErrImproper):
		return 0, fmt.Errorf("%w; use a larger EquivalentSampleSize, or BIC", err)
	}
	return c.Scale * e.Value, err
}
