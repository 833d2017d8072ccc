package format_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/internal/netdoc"
)

// claims are the rows of the table in docs/formats.md. Each tries a format and says what
// it found.
var claims = []struct {
	what string
	try  func(t *testing.T, form format.Format) string
}{
	{"states, parents, tables bit for bit", func(t *testing.T, form format.Format) string {
		n := small(t)["asymmetric"]
		f, _ := through(t, form, &format.File{Network: n})
		return yes(difference(n, f.Network) == "")
	}},
	{"order of the variables", func(t *testing.T, form format.Format) string {
		f, lost := through(t, form, &format.File{Network: small(t)["asymmetric"]})
		if f.Network.Variable(0).Name == "x" && len(lost) == 0 {
			return "yes"
		}
		return "parents first"
	}},
	{"names of variables", func(t *testing.T, form format.Format) string {
		return names(t, form, "two words", "no")
	}},
	{"names of states", func(t *testing.T, form format.Format) string {
		return names(t, form, "x", "two words")
	}},
	{"longest name", func(t *testing.T, form format.Format) string {
		if names(t, form, strings.Repeat("long", 10), "no") == "any text" {
			return "any"
		}
		return "30 letters"
	}},
	{"double quote in a name", func(t *testing.T, form format.Format) string {
		n := one(t, `a "b"`, "no")
		if _, err := form.Write(&bytes.Buffer{}, &format.File{Network: n}); err != nil {
			return "refused"
		}
		f, _ := through(t, form, &format.File{Network: n})
		return yes(difference(n, f.Network) == "")
	}},
	{"name of the network", func(t *testing.T, form format.Format) string {
		return kept(t, form, func(f *format.File) bool { return f.Name == "My network" })
	}},
	{"labels of variables", func(t *testing.T, form format.Format) string {
		return kept(t, form, func(f *format.File) bool { return f.Labels["fever"] == "Has a “fever”?" })
	}},
	{"comments", func(t *testing.T, form format.Format) string {
		return kept(t, form, func(f *format.File) bool { return f.Comments["fever"] == "two\nlines" })
	}},
	{"positions", func(t *testing.T, form format.Format) string {
		return kept(t, form, func(f *format.File) bool { return f.Positions["fever"] == netdoc.Point{X: 12, Y: -7.5} })
	}},
	{"noisy-MAX nodes as such", func(t *testing.T, form format.Format) string {
		return kept(t, form, func(f *format.File) bool { return f.NoisyMAX["fever"] != nil })
	}},
	{"linear-Gaussian variables", func(t *testing.T, form format.Format) string {
		return gaussian(t, form, "[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	}},
	{"with discrete parents", func(t *testing.T, form format.Format) string {
		return gaussian(t, form, "[a][y|a]", bn.Discrete("a", "no", "yes"), bn.Continuous("y"))
	}},
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

func one(t *testing.T, variable, state string) *bn.Network {
	t.Helper()
	g, err := bn.NewDAG([]string{variable}, [][]int{nil})
	if err != nil {
		t.Fatal(err)
	}
	n, err := bn.NewNetwork(g, []bn.Variable{bn.Discrete(variable, state, "other")})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// names says whether a name stands as it is. It must read back in any case.
func names(t *testing.T, form format.Format, variable, state string) string {
	n := one(t, variable, state)
	f, lost := through(t, form, &format.File{Network: n})
	if d := difference(n, f.Network); d != "" {
		t.Errorf("%s: %s", form.Name, d)
	}
	if len(lost) > 0 {
		return "identifiers"
	}
	return "any text"
}

// kept says whether something beside the network reads back. When it does not, a sentence
// must have said so.
func kept(t *testing.T, form format.Format, same func(*format.File) bool) string {
	m := &netdoc.NoisyMAX{
		Child:     bn.Discrete("fever", "yes", "no"),
		Parents:   []bn.Variable{bn.Discrete("flu", "yes", "no")},
		Strengths: [][]int{{0, 1}},
		Effects:   [][][]float64{{{0.8, 0.2}, {0, 1}}},
		Leak:      []float64{0.01, 0.99},
	}
	n, err := bn.New("[flu][fever|flu]", m.Parents[0], m.Child)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.CPT()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.SetCPT(c); err != nil {
		t.Fatal(err)
	}
	whole := format.File{
		Network:   n,
		Name:      "My network",
		Labels:    map[string]string{"fever": "Has a “fever”?"},
		Comments:  map[string]string{"fever": "two\nlines"},
		Positions: map[string]netdoc.Point{"fever": {X: 12, Y: -7.5}, "flu": {}},
		NoisyMAX:  map[string]*netdoc.NoisyMAX{"fever": m},
	}
	if !same(&whole) {
		t.Fatal("the file does not hold what is looked for")
	}
	f, all := through(t, form, &whole)
	if same(f) {
		return "yes"
	}
	// Which sentence it is shows in a file without the thing.
	for _, less := range []format.File{
		{Network: n, Labels: whole.Labels, Comments: whole.Comments, Positions: whole.Positions,
			NoisyMAX: whole.NoisyMAX},
		{Network: n, Name: whole.Name, Comments: whole.Comments, Positions: whole.Positions, NoisyMAX: whole.NoisyMAX},
		{Network: n, Name: whole.Name, Labels: whole.Labels, Positions: whole.Positions, NoisyMAX: whole.NoisyMAX},
		{Network: n, Name: whole.Name, Labels: whole.Labels, Comments: whole.Comments, NoisyMAX: whole.NoisyMAX},
		{Network: n, Name: whole.Name, Labels: whole.Labels, Comments: whole.Comments, Positions: whole.Positions},
	} {
		if !same(&less) {
			if _, lost := through(t, form, &less); len(lost) >= len(all) {
				t.Errorf("%s: lost without a word: %q", form.Name, all)
			}
		}
	}
	return "no"
}

// gaussian says whether a network with continuous variables reads back the same.
func gaussian(t *testing.T, form format.Format, model string, vars ...bn.Variable) string {
	n, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	g := n.Gaussian(1)
	for config := range g.Intercept {
		g.Intercept[config], g.Variance[config] = 0.1+float64(config), 0.3
		for p := range g.Weights[config] {
			g.Weights[config][p] = -1.7
		}
	}
	var b bytes.Buffer
	if _, err := form.Write(&b, &format.File{Network: n}); err != nil {
		if !errors.Is(err, bn.ErrNotDiscrete) || b.Len() > 0 {
			t.Errorf("%s: %v after %d bytes", form.Name, err, b.Len())
		}
		return "refused"
	}
	f, err := form.Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return yes(difference(n, f.Network) == "")
}

// TestTable finds out what each format holds, and compares it with docs/formats.md.
func TestTable(t *testing.T) {
	rows := [][]string{{"what"}, {"---"}}
	for _, form := range format.Formats() {
		rows[0] = append(rows[0], form.Name+" (`"+form.Extensions[0]+"`)")
		rows[1] = append(rows[1], "---")
	}
	for _, c := range claims {
		row := []string{c.what}
		for _, form := range format.Formats() {
			row = append(row, c.try(t, form))
		}
		rows = append(rows, row)
	}
	var table strings.Builder
	for _, row := range rows {
		table.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	doc, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), table.String()) {
		t.Errorf("docs/formats.md does not hold this table:\n%s", table.String())
	}
	for _, form := range format.Formats() {
		for _, e := range form.Extensions {
			if !strings.Contains(string(doc), "`"+e+"`") {
				t.Errorf("docs/formats.md does not name the extension %s", e)
			}
		}
	}
}
