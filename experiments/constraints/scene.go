package constraints

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A Scene is an example of a class of statements, mostly N06's own (§4.3): a truth that
// satisfies them, and the statements.
type Scene struct {
	Class      string // as N06 numbers it; several joined by + for a mixture
	Title      string
	Target     string // the variable that the statements speak of
	Truth      *bn.Network
	Statements []constraint.Constraint
}

// Scenes are the examples of N06's classes 1 to 13, in the paper's order.
func Scenes() ([]Scene, error) {
	type text = []string
	nouns := text{"computer", "mouse", "monitor", "keyboard", "house", "bread"}
	return build([]draft{
		{"1", "a fixed value", "pain", ChestPain, list(
			constraint.Fixed{Var: "pain", Given: bn.Given{"disease": "heart attack"},
				P: map[string]float64{"chest": 0.9}})},
		{"2", "sharing", "X", FourValues, FourValuesKnowledge()},
		{"3", "proportions", "disease", RiskFactors, list(
			constraint.Proportional{Var: "disease", Weights: map[string]float64{"A": 2, "B": 1}})},
		{"4", "equal sums", "disease", Smokers, list(
			constraint.ShareSums{Var: "disease", Given: bn.Given{"smoker": "yes"},
				Groups: []text{{"attack", "failure"}, {"cancer", "COPD"}}})},
		{"5", "equal ratios", "word", Corpus, list(
			constraint.ShareRatios{Var: "word", Groups: []text{{"computer", "mouse", "monitor", "keyboard"},
				{"ordenador", "ratón", "pantalla", "teclado"}}},
			constraint.ShareRatios{Var: "word", Groups: []text{{"business", "money", "firm"},
				{"negocio", "dinero", "empresa"}}})},
		{"6", "sharing, several distributions", "word", Emails, list(
			constraint.ShareAcross{Var: "word", Groups: []text{{"the"}, {"to"}, {"and"}, {"please"}, {"thanks"},
				{"meeting"}}})},
		{"7", "a hierarchy", "word", FourLanguages, list(
			constraint.ShareHierarchy{Var: "word", Levels: []constraint.Level{
				{States: text{"computer", "radio", "hotel"}},
				{Given: []bn.Given{{"language": "Spanish"}, {"language": "Italian"}},
					States: text{"water", "bread", "wine"}},
				{Given: []bn.Given{{"language": "Russian"}, {"language": "Bulgarian"}},
					States: text{"water", "bread", "wine"}}}})},
		{"8", "equal sums, two distributions", "word", TwoLanguages, list(
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "word", States: nouns}}})},
		{"9", "equal ratios, two distributions", "word", TwoLanguages, list(
			constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "word", States: nouns[:4]}}})},
		{"10", "an order of sums", "class", Grammar, list(
			constraint.OrderSums{Var: "class", Groups: []text{{"manner", "degree"}, {"verb", "auxiliary"}}})},
		{"11", "an upper bound", "class", Grammar, list(
			constraint.AtMost{Var: "class", Given: bn.Given{"language": "English"}, States: text{"noun", "name"},
				P: 0.4})},
		{"12", "equal weights", "DELL", Stocks, list(
			constraint.ShareWeights{Var: "DELL", Groups: []text{{"MSFT", "INTL"}}})},
		{"13", "weights in proportion", "DELL", MoreStocks, list(
			constraint.ProportionalWeights{Var: "DELL", Weights: map[string]float64{"MSFT": 1, "INTL": 1,
				"PSUPPLY": 0.2}})},
	})
}

// Mixtures are examples of several classes together: first with scopes that do not
// overlap, as N06 §4.3 asks, then with one statement about words inside a group of
// another.
func Mixtures() ([]Scene, error) {
	nouns := []string{"computer", "mouse", "monitor", "keyboard", "house", "bread"}
	return build([]draft{
		{"1+3+4", "scopes apart", "disease", Smokers, list(
			constraint.Fixed{Var: "disease", Given: bn.Given{"smoker": "no"}, P: map[string]float64{"attack": 0.04}},
			constraint.Proportional{Var: "disease", Given: bn.Given{"smoker": "no"},
				Weights: map[string]float64{"cancer": 1, "COPD": 2}},
			constraint.ShareSums{Var: "disease", Given: bn.Given{"smoker": "yes"},
				Groups: [][]string{{"attack", "failure"}, {"cancer", "COPD"}}})},
		{"8+9", "one inside the other", "word", TwoLanguages, list(
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "word", States: nouns}}},
			constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "word", States: nouns[:4]}}})},
	})
}

// draft is a scene whose truth is still to be made.
type draft struct {
	class, title, target string
	truth                func() (*bn.Network, error)
	statements           []constraint.Constraint
}

func build(drafts []draft) ([]Scene, error) {
	var scenes []Scene
	for _, d := range drafts {
		truth, err := d.truth()
		if err != nil {
			return nil, err
		}
		scenes = append(scenes, Scene{d.class, d.title, d.target, truth, d.statements})
	}
	return scenes, nil
}

func list(statements ...constraint.Constraint) []constraint.Constraint { return statements }
