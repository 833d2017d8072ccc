package viz

// What the tests of this package look at from outside.

type (
	Layout        = graphLayout
	LayoutOptions = layoutOptions
)

var (
	ClusterColor = clusterColor
	Color        = colorOf
	FromPlot     = fromPlot
	NewLayout    = newLayout
)

type Leveled = leveled
