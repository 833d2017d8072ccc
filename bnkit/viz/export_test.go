package viz

import "image/color"

// What the tests of this package look at from outside.

type (
	Layout        = graphLayout
	LayoutOptions = layoutOptions
)

var (
	ClusterColor = clusterColor
	Color        = colorOf
	FromPlot     = fromPlot
	MeanGrey     = meanGrey
	NewLayout    = newLayout
)

type Leveled = leveled

// SignedColor is the colour of a value on a scale from threshold to limit.
func SignedColor(threshold, limit, v float64) color.NRGBA {
	return signedScale{threshold: threshold, limit: limit}.at(v)
}
