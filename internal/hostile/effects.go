package main

import (
	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/internal/say"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// tryEffect compares an effect with the truncated product, with some variables hidden.
func tryEffect(rng *rand.Rand, net *bn.Network) (string, error) {
	order := rng.Perm(net.Len())
	x, y := order[0], order[1]
	m := bnkit.ModelOf(net)
	for _, v := range order[2:] {
		if rng.IntN(3) == 0 {
			m.Hidden = append(m.Hidden, net.Variable(v).Name)
		}
	}
	df, err := bnkit.Effect(context.Background(), m, net.Variable(x).Name, net.Variable(y).Name, nil)
	var unidentified *bn.UnidentifiableError
	if errors.As(err, &unidentified) {
		return "effects that are not identifiable", nil
	}
	if err != nil {
		return "", say.Errorf("the effect of %s on %s in %s, hidden %q: %w", net.Variable(x).Name, net.Variable(y).Name,
			net, m.Hidden, err)
	}
	done := df.Col("do").Float()
	k := net.Variable(y).Cardinality()
	for s := range net.Variable(x).Cardinality() {
		after := net.Clone()
		t := after.CPT(x)
		for config := range t.Configs().Len() {
			clear(t.Row(config))
			t.Row(config)[s] = 1
		}
		if err := same(fmt.Sprintf("the effect of %s on %s in %s, hidden %q,", net.Variable(x).Name,
			net.Variable(y).Name, net, m.Hidden), done[s*k:(s+1)*k], list(after).margin(y), 1e-9); err != nil {
			return "", err
		}
	}
	return "effects", nil
}
