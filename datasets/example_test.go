package datasets_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"bnlab/datasets"
)

func ExampleBreastCancer() {
	df, err := datasets.BreastCancer()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Nrow(), "rows,", df.Ncol(), "columns")
	for _, row := range df.Select([]string{"age", "node_caps", "class"}).Records()[:3] {
		fmt.Println(row)
	}
	// Output:
	// 286 rows, 10 columns
	// [age node_caps class]
	// [40-49 yes recurrence-events]
	// [50-59 no no-recurrence-events]
}

func ExampleDiabetes() {
	df, err := datasets.Diabetes()
	if err != nil {
		log.Fatal(err)
	}
	zeros := 0
	for _, insulin := range df.Col("insu").Float() {
		if insulin == 0 {
			zeros++
		}
	}
	fmt.Println(zeros, "of", df.Nrow(), "rows have an insulin of 0, which means missing")
	// Output: 374 of 768 rows have an insulin of 0, which means missing
}

func ExampleGlass() {
	df, err := datasets.Glass()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Names())
	// Output: [ri na mg al si k ca ba fe type]
}

func ExampleIris() {
	df, err := datasets.Iris()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Records()[1])
	// Output: [5.100000 3.500000 1.400000 0.200000 setosa]
}

func ExampleThyroid() {
	df, err := datasets.Thyroid()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Records()[1])
	// Output: [normal 107 10.100000 2.200000 0.900000 2.700000]
}

func ExampleLoad() {
	df, err := datasets.Load("iris")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Nrow(), "rows,", df.Ncol(), "columns")
	_, err = datasets.Load("irises")
	fmt.Println(errors.Is(err, datasets.ErrUnknown))
	// Output:
	// 150 rows, 5 columns
	// true
}

// Without network, and with the file nowhere, the error says what to do.
func ExampleLoadContext() {
	empty, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(empty)

	set := &datasets.Settings{DataDir: empty, CacheDir: empty, Offline: true}
	_, err = datasets.LoadContext(context.Background(), "ecoli", set)
	fmt.Println(errors.Is(err, datasets.ErrNotAvailable))
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Println(strings.ReplaceAll(filepath.ToSlash(line), filepath.ToSlash(empty), "DIR"))
	}
	// Output:
	// true
	// datasets: uci/ecoli/ecoli.data is not available and the network is switched off (BNLAB_OFFLINE)
	//   tried: BNLAB_DATA: no file DIR/uci/ecoli/ecoli.data
	//   get it from: https://archive.ics.uci.edu/static/public/39/ecoli.zip (the file ecoli.data in it)
	//   or from: https://archive.ics.uci.edu/ml/machine-learning-databases/ecoli/ecoli.data
	//   its SHA-256 must be: 008bd8fbb1d8b34040c3c8c4e987cac2a7ebf116e008b140cc6441be5261ba1d
	//   put it at: DIR/uci/ecoli/ecoli.data
	//   or at: DIR/uci/ecoli/ecoli.data
}

func ExampleOpen() {
	r, err := datasets.Open(context.Background(), "thyroid", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.SplitN(string(data), "\n", 2)[0])
	// Output: diagnosis,rt3u,t4,t3,tsh,dtsh
}

func ExamplePath() {
	cache, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(cache)
	path, err := datasets.Path(context.Background(), "iris", &datasets.Settings{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	rel, err := filepath.Rel(cache, path)
	fmt.Println(filepath.ToSlash(rel), err)
	// Output: iris/data.csv <nil>
}

func ExampleStates() {
	states, err := datasets.States("breast-cancer")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(states["tumor_size"][:4])
	fmt.Println(states["class"])
	// Output:
	// [0-4 5-9 10-14 15-19]
	// [no-recurrence-events recurrence-events]
}

func ExampleSeen() {
	df, err := datasets.BreastCancer()
	if err != nil {
		log.Fatal(err)
	}
	states, err := datasets.States("breast-cancer")
	if err != nil {
		log.Fatal(err)
	}
	seen, err := datasets.Seen(df, states)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(states["age"]), len(seen["age"]), seen["age"])
	// Output: 9 6 [20-29 30-39 40-49 50-59 60-69 70-79]
}

func ExampleColumns() {
	columns, err := datasets.Columns("iris")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range columns[3:] {
		fmt.Println(c.Name, c.Kind, c.Unit, c.States)
	}
	// Output:
	// petal_width real cm []
	// class nominal  [setosa versicolor virginica]
}

func ExampleFind() {
	set, err := datasets.Find("glass")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Title)
	fmt.Println(set.Citation)
	fmt.Println(set.Files[0].SHA256)
	// Output:
	// Glass identification: refractive index and oxides of six types of glass
	// German, B. (1987). Glass Identification [dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5WW2P
	// ed9070ce8d7ba2cfc7f1d318a52b29203ca0eba90bb0f07a1fe05f9ba3b42f5c
}

func ExampleSets() {
	for _, set := range datasets.Sets() {
		if set.Shipped() {
			fmt.Println(set.Name, set.Rows)
		}
	}
	// Output:
	// breast-cancer 286
	// diabetes 768
	// glass 214
	// iris 150
	// thyroid 215
}

func ExampleList() {
	df, err := datasets.List()
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range df.Select([]string{"name", "rows", "columns", "available"}).Records()[:4] {
		fmt.Println(row)
	}
	// Output:
	// [name rows columns available]
	// [breast-cancer 286 10 embedded]
	// [diabetes 768 9 embedded]
	// [glass 214 10 embedded]
}
