package bn_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
)

func ExampleNetwork_Renamed() {
	net, _ := bn.New("[my age][pain|my age]", bn.Discrete("my age", "young", "old"), bn.Discrete("pain", "no", "yes"))
	_ = net.SetTable("pain", "\"my age\" | no yes\n young | 0.9 0.1\n old | 0.6 0.4")
	net, err := net.Renamed(map[string]string{"my age": "age"},
		map[string]map[string]string{"my age": {"young": "below 40"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, _ := net.Table("pain")
	fmt.Print(t)
	// Output:
	// age        | no  yes
	// "below 40" | 0.9 0.1
	// old        | 0.6 0.4
}

func TestRenamed(t *testing.T) {
	net, err := bn.New("[a][b|a][x|a:y][y]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("b", "a | no yes\n no | 0.25 0.75\n yes | 0.5 0.5"); err != nil {
		t.Fatal(err)
	}
	net.Gaussian(2).Weights[1][0] = 3
	got, err := net.Renamed(map[string]string{"a": "b", "b": "a", "y": "z"}, map[string]map[string]string{
		"b": {"no": "yes", "yes": "no"}}) // names may change places
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Names(), []string{"b", "a", "x", "z"}) ||
		!slices.Equal(got.Variable(1).States, []string{"yes", "no"}) || !slices.Equal(got.CPT(1).P, net.CPT(1).P) ||
		got.CPT(1).Parents[0].Name != "b" || got.Gaussian(2).Weights[1][0] != 3 ||
		got.Gaussian(2).Continuous[0].Name != "z" || got.Validate() != nil {
		t.Errorf("%v, %v, %v", got.Variables(), got.CPT(1), got.Gaussian(2))
	}
	got.CPT(1).P[0], got.Gaussian(2).Weights[1][0] = 7, 7
	if net.Variable(0).Name != "a" || net.Variable(1).States[0] != "no" || net.CPT(1).P[0] != 0.25 ||
		net.Gaussian(2).Weights[1][0] != 3 {
		t.Error("the network itself has changed")
	}
	for name, x := range map[string]struct {
		variables map[string]string
		states    map[string]map[string]string
		want      error
	}{
		"unknown":        {map[string]string{"c": "d"}, nil, bn.ErrUnknownVariable},
		"unknown states": {nil, map[string]map[string]string{"c": {"no": "n"}}, bn.ErrUnknownVariable},
		"unknown state":  {nil, map[string]map[string]string{"a": {"nay": "n"}}, bn.ErrUnknownState},
		"twice":          {map[string]string{"a": "b"}, nil, bn.ErrDuplicate},
		"state twice":    {nil, map[string]map[string]string{"a": {"no": "yes"}}, bn.ErrDuplicate},
		"continuous":     {nil, map[string]map[string]string{"x": {"no": "yes"}}, nil},
		"empty":          {map[string]string{"a": ""}, nil, nil},
	} {
		if _, err := net.Renamed(x.variables, x.states); err == nil || x.want != nil && !errors.Is(err, x.want) {
			t.Errorf("%s: %v, want %v", name, err, x.want)
		}
	}
}
