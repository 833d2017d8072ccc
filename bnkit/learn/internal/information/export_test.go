package information

import "gonum.org/v1/gonum/mat"

func (o *Observed) Theta() []float64      { return o.theta }
func (o *Observed) Basis() *mat.Dense     { return o.basis }
func (o *Observed) Matrix() *mat.SymDense { return o.matrix }
func (o *Observed) Linked() []bool        { return o.linked }
