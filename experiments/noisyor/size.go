package noisyor

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
)

// A Size is what a learner has to deal with: the inequalities between probabilities that its
// statements stand for, and the dimension of the tables that its structure can make. Y13 §4
// says of both that they are exponential in the parents, and with a noisy-OR in the parents of a set only.
type Size struct{ Inequalities, Parameters int }

// sizes counts for all learners in all domains.
func sizes(domains []*Domain) (map[mark]Size, error) {
	all := make(map[mark]Size)
	for _, d := range domains {
		for _, l := range knowledge.Learners() {
			size, err := sizeOf(d.Net, d.Target, l.Select(d.Knowledge.Statements()))
			if err != nil {
				return nil, say.Errorf("domain %s: %w", d.name, err)
			}
			all[mark{domain: d.name, learner: l}] = size
		}
	}
	return all, nil
}

// sizeOf counts for one learner. Its statements are about the table of target, or, with a
// noisy-OR among them, about the functions g_i of its sets.
func sizeOf(net *bn.Network, target string, statements []constraint.Constraint) (Size, error) {
	var sets [][]string
	var qualitative []constraint.Constraint
	for _, s := range statements {
		if or, ok := s.(constraint.NoisyOR); ok {
			sets = or.Sets
		} else {
			qualitative = append(qualitative, s)
		}
	}
	t, err := net.Table(target)
	if err != nil {
		return Size{}, err
	}
	if sets == nil {
		n, err := inequalities(net, qualitative)
		return Size{n, t.Configs().Len()}, err
	}
	size := Size{Parameters: 1}
	for i, set := range sets {
		part, err := setNetwork(t, set)
		if err != nil {
			return Size{}, err
		}
		n, err := inequalities(part, slices.DeleteFunc(slices.Clone(qualitative),
			func(s constraint.Constraint) bool { return setOf(sets, parentsOf(s)[0]) != i }))
		if err != nil {
			return Size{}, err
		}
		alone, err := part.Table(target)
		if err != nil {
			return Size{}, err
		}
		size.Inequalities += n
		size.Parameters += alone.Configs().Len() - 1 // what scales all of g_i stands in another set too
	}
	return size, nil
}

func inequalities(net *bn.Network, statements []constraint.Constraint) (int, error) {
	if len(statements) == 0 {
		return 0, nil
	}
	p, err := constraint.CompilePenalty(net, statements...)
	if err != nil {
		return 0, err
	}
	return p.Inequalities(), nil
}

// setNetwork is the network of a child whose only parents are those of a set.
func setNetwork(t *bn.CPT, set []string) (*bn.Network, error) {
	vars := []bn.Variable{t.Child}
	model := ""
	for _, p := range t.Parents {
		if slices.Contains(set, p.Name) {
			vars = append(vars, p)
			model += "[" + p.Name + "]"
		}
	}
	return bn.New(fmt.Sprintf("%s[%s|%s]", model, t.Child.Name, strings.Join(set, ":")), vars...)
}

// parentsOf are the parents that an influence or a synergy is about.
func parentsOf(s constraint.Constraint) []string {
	switch s := s.(type) {
	case constraint.Influence:
		return []string{s.Parent}
	case constraint.Synergy:
		return s.Parents
	}
	return nil
}

// setOf is the place of the set that a parent stands in, −1 for none.
func setOf(sets [][]string, parent string) int {
	return slices.IndexFunc(sets, func(set []string) bool { return slices.Contains(set, parent) })
}

// paired is a child of n parents in synergistic pairs, as n grows; the pairs act independently.
func paired(n int) (net *bn.Network, statements []constraint.Constraint, err error) {
	var vars []bn.Variable
	var parents []string
	or := constraint.NoisyOR{Child: "Y"}
	model := ""
	for i := range n {
		name := fmt.Sprintf("X%d", i+1)
		vars, parents, model = append(vars, bn.Discrete(name, "low", "high")), append(parents, name), model+"["+name+"]"
		statements = append(statements, constraint.Influence{Parent: name, Child: "Y"})
		if i%2 == 1 {
			statements = append(statements, constraint.Synergy{Parents: parents[i-1 : i+1], Child: "Y"})
			or.Sets = append(or.Sets, parents[i-1:i+1])
		}
	}
	net, err = bn.New(model+"[Y|"+strings.Join(parents, ":")+"]", append(vars, bn.Discrete("Y", "no", "yes"))...)
	return net, append(statements, or), err
}

// growth counts the inequalities of [paired] without and with its noisy-OR.
func growth(n int) (full, sets int, err error) {
	net, statements, err := paired(n)
	if err != nil {
		return 0, 0, err
	}
	one, err := sizeOf(net, "Y", knowledge.Synergy.Select(statements))
	if err != nil {
		return 0, 0, err
	}
	two, err := sizeOf(net, "Y", statements)
	return one.Inequalities, two.Inequalities, err
}
