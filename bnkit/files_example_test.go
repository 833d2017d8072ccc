package bnkit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bnlab/bnkit"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// file writes a text to a new folder.
func file(name, text string) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, name)
	return path, func() { os.RemoveAll(dir) }, os.WriteFile(path, []byte(text), 0o600)
}

// Semicolons between cells, a word for what is not known, and codes that are states, not numbers.
func ExampleReadCSV() {
	path, remove, err := file("ward.csv", "ward;fever;days\n3;yes;4\n7;unknown;2.5\n3;no;1\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	df, err := bnkit.ReadCSV(path, &data.CSVOptions{Comma: ';', Missing: []string{"unknown"},
		Discrete: []string{"ward"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	summary, err := bnkit.Summary(df)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range summary.Records()[1:] {
		fmt.Println(row)
	}
	// Output:
	// [ward discrete 0 3 2, 7 1]
	// [fever discrete 1 no 1, yes 1]
	// [days continuous 0 1 to 4, mean 2.5]
}

// Weka reads the file; states that no row has are declared in it.
func ExampleWriteARFF() {
	path, remove, err := file("patients.arff", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	df := smokers().Select([]string{"smoker", "cough"}).Subset([]int{0, 1, 2})
	if err := bnkit.WriteARFF(path, df, map[string][]string{"cough": {"no", "dry", "yes"}}); err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// @relation cases
	//
	// @attribute smoker {no,yes}
	// @attribute cough {no,dry,yes}
	//
	// @data
	// no,no
	// yes,yes
	// yes,?
}

// A file of another tool: its ending says which. What has no place in a network is named.
func ExampleReadNetwork() {
	path, remove, err := file("lung.bif", `network lung { property author = nobody ; }
variable smoke { type discrete [ 2 ] { no, yes }; }
variable cancer { type discrete [ 2 ] { no, yes }; }
probability ( smoke ) { table 0.7, 0.3; }
probability ( cancer | smoke ) { (no) 0.99, 0.01; (yes) 0.9, 0.1; }
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	net, lost, err := bnkit.ReadNetwork(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := bnkit.Posterior(net, nil, "cancer")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: P(cancer=yes) = %.3f\n", net, p.Col("probability").Elem(1).Float())
	fmt.Println("left out:", strings.Join(lost, "; "))
	// Output:
	// [smoke][cancer|smoke]: P(cancer=yes) = 0.037
	// left out: Properties, such as positions, are not read.
}

// A table is a source of cases as a database is (sqldata.Open); neither becomes a frame.
func ExampleFitSource() {
	cases, err := data.ReadCSV(strings.NewReader("smoker,cough,n\nno,no,40\nno,yes,10\nyes,no,15\nyes,yes,35\n"),
		&data.CSVOptions{Weight: "n"})
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := bnkit.NewNetwork("[smoker][cough|smoker]", smokers(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bnkit.FitSource(context.Background(), net, cases, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := m.Net.Table("cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v cases: P(cough=yes) %.3f, of smokers %.3f\n", m.Cases, t.Row(0)[1], t.Row(1)[1])
	// Output:
	// 100 cases: P(cough=yes) 0.212, of smokers 0.692
}
