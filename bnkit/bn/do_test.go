package bn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// smoking is a network in which a gene causes smoking and cancer.
func smoking(t testing.TB) *bn.Network {
	t.Helper()
	n, err := bn.New("[gene][smoke|gene][cancer|smoke:gene][dose|smoke]", bn.Discrete("gene", "no", "yes"),
		bn.Discrete("smoke", "no", "yes"), bn.Discrete("cancer", "no", "yes"), bn.Continuous("dose"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gene":   "no yes\n 0.7 0.3",
		"smoke":  "gene | no yes\n no | 0.8 0.2\n yes | 0.4 0.6",
		"cancer": "smoke gene | no yes\n no no | 0.98 0.02\n no yes | 0.9 0.1\n yes no | 0.95 0.05\n yes yes | 0.7 0.3",
	} {
		if err := n.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestDo(t *testing.T) {
	n := smoking(t)
	before := fmt.Sprint(n.CPT(1).P, n.CPT(2).P, n)
	after, err := n.Do(bn.Set("smoke", "yes"), bn.Set("dose", "2.5"))
	if err != nil {
		t.Fatal(err)
	}
	if got := after.String(); got != "[gene][smoke][cancer|smoke:gene][dose]" {
		t.Errorf("the network after do is %s", got)
	}
	if got := fmt.Sprint(after.CPT(1).P, after.CPT(2).P); got != "[0 1] [0.98 0.02 0.9 0.1 0.95 0.05 0.7 0.3]" {
		t.Errorf("tables after do are %s", got)
	}
	if g := after.Gaussian(3); g.Intercept[0] != 2.5 || g.Variance[0] != 0 || len(g.Discrete) != 0 {
		t.Errorf("a continuous variable that is set is %+v", g)
	}
	after, err = n.Do(bn.Policy("smoke", "cancer"+" | no yes"))
	if after != nil || err == nil {
		t.Error("a policy that looks at its effect was taken")
	}
	after, err = n.Do(bn.Policy("gene", " no yes \n 0.25 0.75"),
		bn.Policy("cancer", "gene|yes no\n no|.1 .9\n yes|.2 .8"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(after, after.CPT(0).P, after.CPT(2).P); got !=
		"[gene][smoke|gene][cancer|gene][dose|smoke] [0.25 0.75] [0.9 0.1 0.8 0.2]" {
		t.Errorf("policies make %s", got)
	}
	if got := fmt.Sprint(n.CPT(1).P, n.CPT(2).P, n); got != before {
		t.Error("do changed the network that it was asked of")
	}
	for _, test := range []struct {
		do   bn.Intervention
		want string
	}{
		{bn.Set("smok", "yes"), `unknown variable "smok"`},
		{bn.Set("smoke", "maybe"), "maybe"},
		{bn.Set("dose", "much"), `"dose" is continuous, and "much" is no finite number`},
		{bn.Set("dose", "NaN"), "no finite number"},
		{bn.Policy("dose", "1"), "continuous"},
		{bn.Policy("smoke", ""), "empty"},
		{bn.Policy("smoke", "gen | no yes"), `unknown variable "gen"`},
		{bn.Policy("smoke", "smoke | no yes\n * | 1 0"), "twice"},
		{bn.Policy("smoke", "gene gene | no yes\n * * | 1 0"), "twice"},
		{bn.Policy("smoke", "gene | no yes\n no | 0.5 0.6"), "sum to 1.1"},
		{bn.Policy("smoke", "gene | no yes\n no | 0.5 0.5"), "no row for gene=yes"},
		{bn.Policy("smoke", "cancer | no yes\n * | 0.5 0.5"), "depends on its own effects"},
	} {
		if _, err := n.Do(test.do); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.do, err, test.want)
		}
	}
	if _, err := n.Do(bn.Set("smoke", "yes"), bn.Set("smoke", "no")); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("set twice: %v", err)
	}
	var cycle *bn.CycleError
	if _, err := n.Do(bn.Policy("smoke", "cancer | no yes\n * | 0.5 0.5")); !errors.As(err, &cycle) {
		t.Errorf("a cycle: %v", err)
	}
}

// Whether an effect can be had depends on what is observed: with tar in the lungs it can, though the gene
// that causes smoking and cancer is hidden (Pearl 2009, §3.3.3).
func ExampleDAG_Identifiable() {
	g, err := bn.ParseDAG("[gene][smoke|gene][tar|smoke][cancer|tar:gene]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.AdjustmentSets("smoke", "cancer", "gene"))
	fmt.Println(g.FrontdoorSets("smoke", "cancer", "gene"))
	fmt.Println(g.Identifiable([]string{"smoke"}, []string{"cancer"}, "gene"))
	err = g.Identifiable([]string{"smoke"}, []string{"cancer"}, "gene", "tar")
	var no *bn.UnidentifiableError
	if errors.As(err, &no) {
		fmt.Println(no.Path)
	}
	// Output:
	// [] <nil>
	// [[tar]] <nil>
	// <nil>
	// smoke ← gene → cancer
}

func ExampleNetwork_Do() {
	net, err := bn.New("[sex][drug|sex][recovery|drug:sex]", bn.Discrete("sex", "woman", "man"),
		bn.Discrete("drug", "no", "yes"), bn.Discrete("recovery", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := net.Do(bn.Policy("drug", `
		sex   | no  yes
		woman | 0.5 0.5
		man   | 1   0`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(after)
	_, err = net.Do(bn.Set("drug", "some"))
	fmt.Println(err)
	// Output:
	// [sex][drug|sex][recovery|drug:sex]
	// bn: unknown state "some" of "drug" (states: no, yes)
}
