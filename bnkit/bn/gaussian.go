package bn

import (
	"fmt"
	"math"
	"strings"

	"bnlab/internal/say"
)

// A LinearGaussian is the distribution of a continuous variable given discrete and continuous
// parents (conditional linear Gaussian): in each configuration of the discrete parents it is normal
// with a linear mean in the continuous ones,
//
//	Y | config, x ~ N(Intercept[config] + Σ_p Weights[config][p]·x_p, Variance[config]).
//
// Weights are in the unit of the child per unit of the parent; Variance is in
// squared units of the child.
type LinearGaussian struct {
	Child      Variable
	Discrete   []Variable // in the order of the graph's parents
	Continuous []Variable
	Intercept  []float64   // by configuration of the discrete parents
	Weights    [][]float64 // by configuration, then continuous parent
	Variance   []float64   // by configuration
	configs    Configs
}

// NewLinearGaussian returns a standard normal distribution with zero weights. It returns an error
// when child is discrete.
func NewLinearGaussian(child Variable, parents ...Variable) (*LinearGaussian, error) {
	if err := child.Validate(); err != nil {
		return nil, err
	}
	if child.IsDiscrete() {
		return nil, say.Errorf("bn: %q is discrete, a linear-Gaussian node is continuous", child.Name)
	}
	g := &LinearGaussian{Child: child}
	var cards []int
	for _, p := range parents {
		if err := p.Validate(); err != nil {
			return nil, err
		}
		if p.IsDiscrete() {
			g.Discrete = append(g.Discrete, p)
			cards = append(cards, p.Cardinality())
		} else {
			g.Continuous = append(g.Continuous, p)
		}
	}
	var err error
	if g.configs, err = NewConfigs(cards...); err != nil {
		return nil, ofFamily(err, child, parents)
	}
	// A configuration takes an intercept, a variance, a slice header of three words
	// and its weights.
	if _, err := g.configs.cells(5 + len(g.Continuous)); err != nil {
		return nil, ofFamily(err, child, parents)
	}
	flat := make([]float64, g.configs.Len()*len(g.Continuous))
	g.Intercept = make([]float64, g.configs.Len())
	g.Variance = make([]float64, g.configs.Len())
	g.Weights = make([][]float64, g.configs.Len())
	for config := range g.Weights {
		k := len(g.Continuous)
		g.Weights[config] = flat[config*k : (config+1)*k : (config+1)*k]
		g.Variance[config] = 1
	}
	return g, nil
}

// Configs returns the index of the configurations of the discrete parents.
func (g *LinearGaussian) Configs() Configs { return g.configs }

// Mean returns the mean in a configuration, given the continuous parents.
func (g *LinearGaussian) Mean(config int, x []float64) float64 {
	mean := g.Intercept[config]
	for p, w := range g.Weights[config] {
		mean += w * x[p]
	}
	return mean
}

// Validate returns an error that names the first set of parameters of wrong length, the first that
// is not finite, or a negative variance.
func (g *LinearGaussian) Validate() error {
	if !g.configs.number(g.Discrete) {
		return say.Errorf("bn: %q has no index of its discrete parents' configurations; make it with "+
			"NewLinearGaussian", g.Child.Name)
	}
	n := g.configs.Len()
	if len(g.Intercept) != n || len(g.Weights) != n || len(g.Variance) != n {
		return say.Errorf("bn: %q needs an intercept, weights and a variance for each of %d configurations",
			g.Child.Name, n)
	}
	for config := range n {
		if len(g.Weights[config]) != len(g.Continuous) {
			return say.Errorf("bn: %q has %d weights for %d continuous parents%s", g.Child.Name, len(g.Weights[config]),
				len(g.Continuous), g.where(config))
		}
		if x := g.Intercept[config]; math.IsNaN(x) || math.IsInf(x, 0) {
			return say.Errorf("bn: the intercept of %q%s is %v, which is not finite", g.Child.Name, g.where(config), x)
		}
		for p, x := range g.Weights[config] {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return say.Errorf("bn: the weight of %q for %q%s is %v, which is not finite", g.Continuous[p].Name,
					g.Child.Name, g.where(config), x)
			}
		}
		if s := g.Variance[config]; !(s >= 0) || math.IsInf(s, 0) {
			return say.Errorf("bn: the variance of %q%s is %v; it must be finite and not negative", g.Child.Name,
				g.where(config), s)
		}
	}
	return nil
}

// where names a configuration for an error, as in " given arm=left".
func (g *LinearGaussian) where(config int) string {
	if len(g.Discrete) == 0 {
		return ""
	}
	return " given " + describe(g.Discrete, g.configs, config)
}

// String prints a line for each configuration of the discrete parents, numbers to four
// digits and sd being the standard deviation, as in
//
//	DELL = 0.3 + 0.9·MSFT − 0.25·INTL, sd 0.2 | market=up
//
// What is not valid prints as the error of Validate.
func (g *LinearGaussian) String() string {
	if err := g.Validate(); err != nil {
		return err.Error()
	}
	lines := make([]string, g.configs.Len())
	for config := range lines {
		var b strings.Builder
		fmt.Fprintf(&b, "%s = %.4g", quote(g.Child.Name), g.Intercept[config])
		for p, w := range g.Weights[config] {
			sign := "+"
			if w < 0 {
				sign = "−"
			}
			fmt.Fprintf(&b, " %s %.4g·%s", sign, math.Abs(w), quote(g.Continuous[p].Name))
		}
		fmt.Fprintf(&b, ", sd %.4g", math.Sqrt(g.Variance[config]))
		if len(g.Discrete) > 0 {
			b.WriteString(" | " + describe(g.Discrete, g.configs, config))
		}
		lines[config] = b.String()
	}
	return strings.Join(lines, "\n")
}

// Clone returns a deep copy.
func (g *LinearGaussian) Clone() *LinearGaussian {
	c := *g
	c.Intercept = append([]float64(nil), g.Intercept...)
	c.Variance = append([]float64(nil), g.Variance...)
	c.Weights = make([][]float64, len(g.Weights))
	for i, w := range g.Weights {
		c.Weights[i] = append([]float64(nil), w...)
	}
	return &c
}
