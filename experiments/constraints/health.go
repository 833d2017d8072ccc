package constraints

import "bnlab/bnkit/bn"

// world returns the network of a model string over the variables, with the tables given
// as text by the variable's name.
func world(model string, vars []bn.Variable, tables map[string]string) (*bn.Network, error) {
	net, err := bn.New(model, vars...)
	if err != nil {
		return nil, err
	}
	for _, v := range vars {
		if text, ok := tables[v.Name]; ok {
			if err := net.SetTable(v.Name, text); err != nil {
				return nil, err
			}
		}
	}
	return net, nil
}

// ChestPain is a made-up clinic in which nine patients of ten with a heart attack feel
// pain in the chest.
func ChestPain() (*bn.Network, error) {
	return world("[disease][pain|disease]", []bn.Variable{
		bn.Discrete("disease", "none", "angina", "heart attack"),
		bn.Discrete("pain", "none", "elsewhere", "chest"),
	}, map[string]string{
		"disease": `none angina "heart attack"
		            0.45 0.25   0.30`,
		"pain": `disease        | none elsewhere chest
		         none           | 0.85 0.12      0.03
		         angina         | 0.20 0.20      0.60
		         "heart attack" | 0.04 0.06      0.90`,
	})
}

// RiskFactors is a made-up population in which disease A is twice as likely as disease B
// whatever the risk factors.
func RiskFactors() (*bn.Network, error) {
	return world("[smoker][overweight][disease|smoker:overweight]", []bn.Variable{
		bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("overweight", "no", "yes"),
		bn.Discrete("disease", "none", "A", "B"),
	}, map[string]string{
		"smoker":     "no yes\n0.7 0.3",
		"overweight": "no yes\n0.6 0.4",
		"disease": `smoker overweight | none A    B
		            no     no         | 0.94 0.04 0.02
		            no     yes        | 0.85 0.10 0.05
		            yes    no         | 0.82 0.12 0.06
		            yes    yes        | 0.55 0.30 0.15`,
	})
}

// Smokers is a made-up population in which a smoker has a disease of the heart (attack or
// failure) as often as one of the lungs (cancer or COPD), and cancer is half as likely as
// COPD for others.
func Smokers() (*bn.Network, error) {
	return world("[smoker][disease|smoker]", []bn.Variable{
		bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("disease", "none", "attack", "failure", "cancer", "COPD"),
	}, map[string]string{
		"smoker": "no yes\n0.6 0.4",
		"disease": `smoker | none attack failure cancer COPD
		            no     | 0.90 0.04   0.03    0.01   0.02
		            yes    | 0.68 0.10   0.06    0.04   0.12`,
	})
}

// Clinic is a made-up clinic with two pairs of diseases that are equally likely in each
// group of patients, and two symptoms that tell of them.
func Clinic() (*bn.Network, error) {
	return world("[smoker][disease|smoker][pain|disease][cough|disease]", []bn.Variable{
		bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("disease", "none", "attack", "failure", "cancer", "COPD"),
		bn.Discrete("pain", "no", "yes"),
		bn.Discrete("cough", "no", "yes"),
	}, map[string]string{
		"smoker": "no yes\n0.7 0.3",
		"disease": `smoker | none attack failure cancer COPD
		            no     | 0.84 0.05   0.05    0.03   0.03
		            yes    | 0.52 0.10   0.10    0.14   0.14`,
		"pain": `disease | no   yes
		         none    | 0.95 0.05
		         attack  | 0.10 0.90
		         failure | 0.60 0.40
		         cancer  | 0.70 0.30
		         COPD    | 0.80 0.20`,
		"cough": `disease | no   yes
		          none    | 0.90 0.10
		          attack  | 0.90 0.10
		          failure | 0.50 0.50
		          cancer  | 0.30 0.70
		          COPD    | 0.15 0.85`,
	})
}
