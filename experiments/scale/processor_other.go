//go:build !unix

package scale

// processor is not known here.
func processor() float64 { return -1 }
