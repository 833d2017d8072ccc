package main

import (
	"math/rand/v2"
	"path/filepath"
	"strings"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
)

// pieces of names: what terminals, pages, shells, spreadsheets, databases and our own syntax read as more than letters.
var pieces = []string{
	"\x1b[2J", "\x1b]0;t\a", "a\nb", "a\tb", "\r", "\x00", "\u009b31m", "\u202eabc", "\u2028", "\ufeff",
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</td></table>", "&lt;", "&#0;",
	"javascript:alert(1)", "$25k-$50k", `\(x\)`, "]]>", "<!--", "'; DROP TABLE t; --", `a"b`, "a`b", `a\`,
	"a'b", `"`, `""`, "$$", "/*", "*/", "--", "#", "\u0430dmin", "admin", "e\u0301", "\u00e9", "x\u200bx",
	"x\u00adx", "x\u00a0x", " a", "a ", "", "a:b", "a|b", "[x]", "a=b", "a,b", "a;b", "{a}", "(a)", "%s%n",
	"../../etc/passwd", "NaN", "null", "NA", "?", "true", "1e999", "01", "1.0", "-1.5", "日本", "=1+1", "@x",
	"+1", "-x", "node", "class", "select", "x[t-1]", "(intercept)", "weight", "\xff\xfe", "\xed\xa0\x80",
	"a_u0020_b", "größer", "over", "yes", "no",
}

// name draws one; some are long, few of a megabyte.
func name(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(3) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	switch rng.IntN(200) {
	case 0:
		return strings.Repeat("x", 1<<20) + b.String()
	case 1, 2, 3, 4:
		return strings.Repeat(b.String(), 50)
	}
	return b.String()
}

// tryNames takes a network with hostile names through one of the ways in and out of the library. Each refuses them, in
// words that are safe to show, or keeps them; what is written says what it has lost.
func tryNames(t *trial) (string, error) {
	net, err := hostileNetwork(t.rng)
	if err != nil {
		return "names that no network takes", presentable(err.Error())
	}
	ways := []struct {
		name string
		try  func(*trial, *bn.Network) error
	}{
		{"network files", throughNetworkFile}, {"network files", throughNetworkFile}, {"saved models", throughModel},
		{"tables", throughTable}, {"tables", throughTable}, {"graphs", throughGraph},
		{"knowledge files", throughKnowledge},
		{"errors", throughErrors}, {"errors", throughErrors}, {"pictures", throughPicture}, {"SQL", throughSQL},
		{"tables of notebooks", throughPage},
	}
	way := ways[t.rng.IntN(len(ways))]
	if err := way.try(t, net); err != nil {
		return "", say.Errorf("%s: %w\nnames %+q", way.name, err, namesOf(net))
	}
	return way.name, nil
}

func namesOf(net *bn.Network) (list []string) {
	for _, v := range net.Variables() {
		list = append(append(list, v.Name), v.States...)
	}
	return list
}

// hostileNetwork is of one to three variables, each a parent of the next.
func hostileNetwork(rng *rand.Rand) (*bn.Network, error) {
	n := 1 + rng.IntN(3)
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	for v := range n {
		names[v] = name(rng)
		states := []string{name(rng), name(rng)}
		if rng.IntN(2) == 0 {
			states = append(states, name(rng))
		}
		vars[v] = bn.Discrete(names[v], states...)
		if v > 0 {
			parents[v] = []int{v - 1}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		return nil, err
	}
	for v := range n {
		for config := range net.CPT(v).Configs().Len() {
			row, left := net.CPT(v).Row(config), 1.0
			for s := range row[1:] {
				row[s] = left / 4
				left -= row[s]
			}
			row[len(row)-1] = left
		}
	}
	return net, nil
}

// refused is nil when an error, which may be nil itself, is safe to show.
func refused(err error) error {
	if err == nil {
		return nil
	}
	return presentable(err.Error())
}

// throughErrors asks for what is not there.
func throughErrors(t *trial, net *bn.Network) error {
	a, b := name(t.rng), name(t.rng)
	states := map[string][]string{a: {b}}
	asks := []func() error{
		func() error { _, err := infer.Posterior(net, infer.Evidence{a: b}, b); return err },
		func() error { _, err := infer.Posterior(net, infer.Evidence{net.Variable(0).Name: a}); return err },
		func() error { _, err := infer.Posterior(net, nil, a); return err },
		func() error { _, err := bn.New(a + b); return err },
		func() error { _, err := bn.New("["+a+"|"+b+"]", bn.Discrete(a, b)); return err },
		func() error { return net.SetTable(net.Variable(0).Name, a+"\n"+b) },
		func() error { _, err := net.Do(bn.Set(net.Variable(0).Name, a)); return err },
		func() error { _, err := net.Do(bn.Policy(net.Variable(0).Name, a)); return err },
		func() error { _, err := constraint.Compile(net, constraint.Influence{Parent: a, Child: b}); return err },
		func() error {
			_, err := constraint.Compile(net, constraint.AtMost{Var: net.Variable(0).Name, States: []string{a}, P: 0.5})
			return err
		},
		func() error { _, err := knowledge.Parse(a, []byte(b)); return err },
		func() error { _, err := constraint.Unmarshal([]byte(`[{"type":"` + a + `"}]`)); return err },
		func() error {
			_, err := data.ReadCSV(strings.NewReader(a+","+b+"\n1,2\n"), &data.CSVOptions{States: states})
			return err
		},
		func() error { _, err := format.Read(a); return err },
		func() error { _, err := bnkit.Load(filepath.Join(t.dir, a)); return err },
		func() error { _, err := cases(t.rng, net).Column(a); return err },
	}
	return refused(asks[t.rng.IntN(len(asks))]())
}
