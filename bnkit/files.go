package bnkit

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
)

// ReadNetwork reads a network from a file of another tool, by its extension: BIF (.bif), XMLBIF
// (.xml), Hugin (.net), GeNIe (.xdsl), Netica (.dne) or DSC (.dsc).
//
//	net, lost, err := bnkit.ReadNetwork("asia.xdsl")
//
// What stood in the file and is not in the network comes back as sentences, so print them.
// Labels, positions and noisy-MAX nodes as such are kept by [format.Read]. An error in the file names
// its line and column.
func ReadNetwork(path string) (net *bn.Network, lost []string, err error) {
	f, err := format.Read(path)
	if err != nil {
		return nil, nil, fmt.Errorf("bnkit: %w", err)
	}
	return f.Network, f.Lost, nil
}

// WriteNetwork writes a network, or that of a model, to a file for another tool, by its extension; see
// [ReadNetwork]. What the format has no place for comes back as sentences, such as names that
// are written as identifiers; a network that it cannot hold at all is an error. The file is
// afterwards either complete or as it was before.
func WriteNetwork(path string, m bn.Model) (lost []string, err error) {
	var f format.File
	if m != nil {
		f.Network = m.Network()
	}
	lost, err = format.Write(path, &f)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	var read []string
	for _, v := range f.Network.Variables() {
		if v.Encoding != nil {
			read = append(read, v.Name)
		}
	}
	if read != nil {
		lost = append(lost, "How columns of data become states is left out, of "+strings.Join(read,
			", ")+"; Save keeps it.")
	}
	return lost, nil
}

// ReadARFF reads a Weka ARFF file into a frame: nominal and string attributes as text, numeric ones
// as floats, missing values as NaN. It also returns the declared variables, because a frame does
// not keep the order of states; pass data.StatesOf of them to [Table]. See [arff.Read] for the
// errors. A file with weights is an error, because a frame cannot hold them.
func ReadARFF(path string, opts *arff.Options) (dataframe.DataFrame, []bn.Variable, error) {
	t, err := arff.ReadFile(path, opts)
	if err == nil && t.Weights() != nil {
		err = fmt.Errorf("reading %s: a frame has no place for the weights of the rows; read them with arff.ReadFile "+
			"and fit with learn.Fit", path)
	}
	if err != nil {
		return dataframe.DataFrame{}, nil, fmt.Errorf("bnkit: %w", err)
	}
	return Frame(t), t.Variables(), nil
}

// WriteARFF writes a frame to a Weka ARFF file. Columns are interpreted as by [Table]; states,
// which may be nil, declares the states of columns in their order, which the file keeps. If writing
// fails the file is unchanged.
func WriteARFF(path string, df dataframe.DataFrame, states map[string][]string) error {
	t, err := Table(df, states)
	if err != nil {
		return err
	}
	if err := arff.WriteFile(path, t); err != nil {
		return fmt.Errorf("bnkit: %w", err)
	}
	return nil
}
