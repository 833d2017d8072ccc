package format_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
)

// A graph goes to Graphviz, and to Gephi under the name asia.graphml.
func ExampleWriteGraph() {
	dir, err := os.MkdirTemp("", "graph")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g, err := bn.ParseDAG("[rain][wet grass|rain]")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "grass.dot")
	if err := format.WriteGraph(path, g); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(path)
	fmt.Printf("%s%v\n", text, err)
	fmt.Println(format.ReadGraph(path))
	// Output:
	// digraph {
	//   "rain";
	//   "wet grass";
	//   "rain" -> "wet grass";
	// }
	// <nil>
	// [rain][wet grass|rain] <nil>
}

func TestGraphFiles(t *testing.T) {
	g, err := bn.ParseDAG("[B|C:A][A][C]")
	if err != nil {
		t.Fatal(err)
	}
	line, err := bn.ParseDAG("[A][B|A]")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"g.dot", "g.GV", "g.graphml"} {
		path := filepath.Join(dir, name)
		if err := format.WriteGraph(path, g); err != nil {
			t.Fatal(err)
		}
		if got, err := format.ReadGraph(path); err != nil || got.String() != g.String() {
			t.Errorf("%s: read %v (%v), want %v", name, got, err, g)
		}
		if err := format.WriteGraph(path, line.CPDAG()); err != nil {
			t.Fatal(err)
		}
		var at *format.SyntaxError
		if _, err := format.ReadGraph(path); !errors.As(err, &at) || at.File != path {
			t.Errorf("%s: an undirected arc was read: %v", name, err)
		}
		if err := format.WriteGraph(path, (*bn.DAG)(nil)); err == nil {
			t.Errorf("%s: no DAG was written", name)
		}
		if err := format.WriteGraph(path, (*bn.CPDAG)(nil)); err == nil {
			t.Errorf("%s: no CPDAG was written", name)
		}
	}
	for name, err := range map[string]error{
		"write":      format.WriteGraph(filepath.Join(dir, "g.bif"), g),
		"read":       second(format.ReadGraph(filepath.Join(dir, "g.xml"))),
		"no file":    second(format.ReadGraph(filepath.Join(dir, "none.dot"))),
		"no folder":  format.WriteGraph(filepath.Join(dir, "none", "g.dot"), g),
		"no written": second(format.ReadGraph(filepath.Join(dir, "g.bif"))),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "format: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
