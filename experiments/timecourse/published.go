package timecourse

// numbers are what W00 §5.3 prints for the one network that it has of each structure,
// constrained against unconstrained EM.
type numbers struct {
	violation float64 // the most that is possible
	wins      float64 // starts of 10 from which the constrained network is nearer to the truth
	closer    float64 // by how much on average, %
	quadratic float64 // the same in quadratic loss of the criterion, %
}

// W00 §5.3.
var (
	publishedLoad     = numbers{63, 8, 9, 50}
	publishedAbstract = numbers{54, 10, 57, 66}
)
