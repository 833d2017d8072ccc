package constraint

import (
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

func TestClass(t *testing.T) {
	for _, tt := range []struct {
		statement Constraint
		number    string // in N06 §4.3
	}{
		{Fixed{}, "1"}, {ShareStates{}, "2"}, {Proportional{}, "3"}, {ShareSums{}, "4"}, {ShareRatios{}, "5"},
		{ShareAcross{}, "6"}, {ShareCells{}, "6"}, {ShareTables{}, "6"}, {ShareHierarchy{}, "7"},
		{ShareSumsAcross{}, "8"},
		{ShareRatiosAcross{}, "9"}, {OrderSums{}, "10"}, {AtMost{}, "11"}, {AtLeast{}, "11"}, {Between{}, "11"},
		{AtPrice{Statement: Between{}}, "11"},
		{ShareWeights{}, "12"}, {ShareWeightsAcross{}, "12"}, {ProportionalWeights{}, "13"},
		{LinearSum{}, "linear"}, {Formula{}, "nonlinear"}, {&AtMost{}, "11"}, {stranger{}, "of"},
	} {
		if number, _, _ := strings.Cut(classOf(tt.statement), " "); number != tt.number {
			t.Errorf("the class of %T is %q, want %s", tt.statement, classOf(tt.statement), tt.number)
		}
	}
	// Every type that files hold has a class.
	for _, stored := range storedTypes() {
		s, err := stored.read([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if classOf(s) == classOf(stranger{}) {
			t.Errorf("%T has no class", s)
		}
	}
}

// stranger is a statement of another package.
type stranger struct{}

func (stranger) String() string                    { return "something else" }
func (stranger) Bind(*bn.Network) ([]Bound, error) { return nil, nil }

// Methods says before the counts are there what Solve says with them.
func TestMethods(t *testing.T) {
	net, err := bn.New("[A][X|A][Y|A][Z]", bn.Discrete("A", "0", "1"), bn.Discrete("X", "a", "b", "c"),
		bn.Discrete("Y", "0", "1"), bn.Discrete("Z", "p", "q", "r"))
	if err != nil {
		t.Fatal(err)
	}
	same := ShareAcross{Var: "X"}
	order := OrderSums{Var: "Z", Groups: [][]string{{"p"}, {"q"}, {"r"}}}
	most := func(state string) AtMost { return AtMost{Var: "Z", States: []string{state}, P: 0.4} }
	first, second := Cell{"X", "a", bn.Given{"A": "0"}}, Cell{"X", "b", bn.Given{"A": "1"}}
	sum := LinearSum{Terms: []Term{{Cell: first}, {Cell: second, Factor: 2}}, Value: 0.8, Relation: NoMore}
	odds := Formula{Text: "the product is at most 0.05", Cells: []Cell{first, second},
		AtMost: []Function{{Value: func(x []float64) float64 { return x[0]*x[1] - 0.05 }}}}
	for _, tt := range []struct {
		name       string
		statements []Constraint
		want       []string
	}{
		{"none", nil, []string{}},
		{"sharing", []Constraint{same}, []string{"closed form"}},
		{"two parts", []Constraint{same, order}, []string{"closed form", "isotonic regression"}},
		{"one limit", []Constraint{most("p")}, []string{"closed form"}},
		{"two limits", []Constraint{most("p"), most("q")},
			[]string{"closed form with limits", "closed form with limits"}},
		{"a sum over distributions", []Constraint{order, sum},
			[]string{"isotonic regression", "dual Newton or interior point"}},
		{"an influence", []Constraint{Influence{Parent: "A", Child: "X", Sign: Negative}},
			[]string{"Newton by blocks"}},
		{"an influence on two states", []Constraint{Influence{Parent: "A", Child: "Y", Sign: Negative}},
			[]string{"isotonic regression"}},
		{"a function", []Constraint{odds}, []string{"augmented Lagrangian"}},
		{"nothing said", []Constraint{stranger{}, OrderSums{Var: "Z", Groups: [][]string{{"p"}, {"p", "q"}}}},
			[]string{"", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Compile(net, tt.statements...)
			if err != nil {
				t.Fatal(err)
			}
			got := p.Methods()
			if len(got) != len(tt.want) {
				t.Fatalf("methods %q, want %q", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("%q is solved by %q, want %q", tt.statements[i], got[i], tt.want[i])
				}
			}
			n := make([]float64, p.Layout().Len())
			for i := range n {
				n[i] = float64(7 + i%5)
			}
			s, err := p.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.Counts(), n) {
				t.Error("the counts of a solution are not those it was solved for")
			}
			for _, part := range s.Parts {
				for i, statement := range tt.statements {
					if part.Statements[0].String() == statement.String() && !strings.Contains(tt.want[i], part.Method) {
						t.Errorf("%q was solved by %q, foretold %q", statement, part.Method, tt.want[i])
					}
				}
			}
		})
	}
}
