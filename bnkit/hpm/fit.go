package hpm

import "errors"

// Fit learns a model from all trials by maximum likelihood.
func Fit(study *Study, sharing Sharing, set *Settings) (*Model, error) {
	return nil, errors.New("hpm: not yet")
}
