package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	update := flag.Bool("update", false, "write the numbers anew")
	root := flag.String("root", ".", "the checkout")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(*root, "notebooks", "[0-9][0-9]-*.ipynb"))
	if err != nil || len(files) == 0 {
		fmt.Fprintf(os.Stderr, "prose: no notebooks in %s; run from the top folder of the checkout\n", *root)
		os.Exit(2)
	}
	files = append(files, filepath.Join(*root, "README.md"))
	wrong := 0
	for _, file := range files {
		said, err := checkFile(file, filepath.Join(*root, "figures"), *update)
		if err != nil {
			fmt.Fprintf(os.Stderr, "prose: %v\n", err)
			os.Exit(1)
		}
		for _, s := range said {
			fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(file), s)
		}
		wrong += len(said)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
