package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/arff"
)

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
