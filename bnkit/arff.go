package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/arff"
)

// ReadARFF reads a file of Weka's format into a frame: nominal and string attributes as text,
// numeric ones as floats, missing values as NaN. It also returns the declared variables, since
// a frame does not keep the order of states: data.StatesOf makes of them what [Table] takes.
// See [arff.Read] for the errors. A file with weights is refused, because a frame has no place
// for them.
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

// WriteARFF writes a frame to a file of Weka's format. Columns are taken as [Table] takes them; a
// list of states, which may be nil, gives a column its states in their order, which the file
// keeps. A failure leaves the file as it was.
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
