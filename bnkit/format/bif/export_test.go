package bif

import "bnlab/bnkit/bn"

// parseNetwork is parse without the sentences.
func parseNetwork(src []byte, maxCells ...int) (*bn.Network, error) {
	n, _, err := parse(src, maxCells...)
	return n, err
}
