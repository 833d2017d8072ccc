package bnkit

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
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
