package format_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bnlab/bnkit/format"
)

// A model from GeNIe goes to Hugin. What Hugin net has no place for is said.
func Example() {
	dir, err := os.MkdirTemp("", "format")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	const model = `<smile version="1.0" id="N"><nodes>
	<cpt id="flu"><state id="yes"/><state id="no"/><probabilities>0.1 0.9</probabilities></cpt>
	<noisymax id="fever"><state id="yes"/><state id="no"/><parents>flu</parents>
		<strengths>0 1</strengths><parameters>0.8 0.2 0 1 0.01 0.99</parameters></noisymax>
	</nodes></smile>`
	if err := os.WriteFile(filepath.Join(dir, "fever.xdsl"), []byte(model), 0o644); err != nil {
		fmt.Println(err)
		return
	}

	f, err := format.Read(filepath.Join(dir, "fever.xdsl"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Network)
	_, links, leak, err := f.NoisyMAX["fever"].Links()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("links %.2f, leak %.2f\n", links, leak)

	lost, err := format.Write(filepath.Join(dir, "fever.net"), f)
	fmt.Println(lost, err)
	// Output:
	// [flu][fever|flu]
	// links [0.80], leak 0.01
	// [Hugin net has no noisy-MAX nodes; "fever" became plain tables.] <nil>
}

// Programs tell what is wrong: a place in the text, or what no network can hold. Files of strangers have a limit.
func ExampleReader() {
	dir, err := os.MkdirTemp("", "format")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	broken := filepath.Join(dir, "a.bif")
	if err := os.WriteFile(broken, []byte("network a { }\nvariable x {\n  type discrete [ 2 ] { no yes };\n}\n"),
		0o600); err != nil {
		fmt.Println(err)
		return
	}
	_, err = format.Read(broken)
	var syntax *format.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Printf("line %d, column %d: %v\n", syntax.Line, syntax.Column, syntax.Err)
	}
	decision := filepath.Join(dir, "b.xdsl")
	if err := os.WriteFile(decision, []byte(`<smile version="1.0" id="N"><nodes>
	<decision id="treat"><state id="yes"/><state id="no"/></decision></nodes></smile>`), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	_, err = format.Read(decision)
	fmt.Println(errors.Is(err, format.ErrUnsupported))
	_, err = format.Reader{MaxBytes: 10}.Read(decision)
	fmt.Println(err != nil)
	// Output:
	// line 2, column 10: variable "x" has no probability block
	// true
	// true
}
