package apn

import (
	"context"
	"errors"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/datasets"
	"bnlab/experiments/apn/baseline"
	"bnlab/experiments/run"
)

const insuranceFile = "networks/insurance.bif"

// Insurance returns the car insurance network of R95 Figure 5, as the bnlearn repository
// has it, and its SHA-256. The error wraps [datasets.ErrNotAvailable] where the file cannot be had.
func Insurance(ctx context.Context) (*bn.Network, string, error) {
	set, err := datasets.Find("bnlearn-networks")
	if err != nil {
		return nil, "", err
	}
	sum := ""
	for _, f := range set.Files {
		if f.Path == insuranceFile {
			sum = f.SHA256
		}
	}
	r, err := datasets.Open(ctx, insuranceFile, nil)
	if err != nil {
		return nil, "", err
	}
	defer r.Close()
	net, _, err := bif.Read(r)
	return net, sum, err
}

// The variables of the insurance network. R95 says that 15 of the 27 are observable and
// shows which in a figure that is lost; the 12 hidden ones are inferred from what an insurer sees.
// The three outputs are the costs that are claimed.
var (
	insuranceHidden = [...]string{
		"SocioEcon", "RiskAversion", "DrivingSkill", "DrivQuality", "RuggedAuto", "Accident",
		"ThisCarDam", "Theft", "CarValue", "Cushioning", "OtherCarCost", "ThisCarCost",
	}
	insuranceOutputs = [...]string{"MedCost", "ILiCost", "PropCost"}
	insuranceInputs  = [...]string{
		"Age", "SeniorTrain", "GoodStudent", "DrivHist", "MakeModel", "VehicleYear",
		"Mileage", "HomeBase", "AntiTheft", "Antilock", "Airbag", "OtherCar",
	}
)

// Names of the curves of Figure 6 and of footnote 4.
const (
	trueStructureName      = "APN, true structure"
	trueStructurePriorName = "APN, true structure, one virtual case a cell"
	wideName               = "APN 12-3"
	wideProportionsName    = "APN 12-3, unseen as proportions"
	errorsTreeName         = "decision trees, pruned by errors"
	scoreTreeName          = "decision trees, pruned by likelihood"
	nearestName            = "nearest neighbours"
)

// A Second is the experiment of Figure 6; it is nil where the network cannot be had.
type Second struct {
	Curves Curves
	Spread float64 // error of the true proportions
	Net    *bn.Network
}

// carScene draws inputs from the insurance network to judge predictions by.
func carScene(truth *bn.Network, inputs int, src *rand.PCG) (*scene, error) {
	complete, err := data.Sample(truth, inputs, src)
	if err != nil {
		return nil, err
	}
	test, err := complete.Keep(insuranceInputs[:]...)
	if err != nil {
		return nil, err
	}
	return newScene(truth, insuranceInputs[:], insuranceOutputs[:], test, equal(inputs))
}

// second draws samples from the insurance network; test inputs are drawn from it too.
func second(ctx context.Context, job *run.Job, c Cars) (*Second, error) {
	truth, sum, err := Insurance(ctx)
	if errors.Is(err, datasets.ErrNotAvailable) {
		job.LacksData(err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	job.UsesData(insuranceFile, sum)
	s, err := carScene(truth, c.TestInputs, job.Source(carsStream, 0))
	if err != nil {
		return nil, err
	}
	learners := []learner{
		fitted(trueStructureName, truth, c.Sizes, c.Starts, ascent),
		fitted(trueStructurePriorName, truth, c.Sizes, c.Starts, ascentWithPrior),
		fixed(wideName, c.WideSizes, uniformWhereUnseen),
		fixed(wideProportionsName, c.WideSizes,
			func(c *baseline.Cases) baseline.Predictor { return baseline.TrainTable(c) }),
		neural(c.Sizes, c.Folds, c.Hidden),
		fixed(errorsTreeName, c.Sizes, func(c *baseline.Cases) baseline.Predictor {
			return baseline.TrainTrees(c,
				baseline.Errors)
		}),
		fixed(scoreTreeName, c.Sizes, func(c *baseline.Cases) baseline.Predictor {
			return baseline.TrainTrees(c,
				baseline.Likelihood)
		}),
		chosen(nearestName, c.Sizes, c.Folds, len(c.Neighbours),
			func(cases *baseline.Cases, k int, _ rand.Source) (baseline.Predictor, error) {
				return baseline.TrainNeighbours(cases, c.Neighbours[k])
			}),
		proportions(c.WideSizes),
		stopped(stoppedName, truth, c.Sizes, c.Starts),
		decayed(c.Sizes, c.Folds, c.Hidden, c.Decays),
	}
	r := &Second{Curves: newCurves(learners, c.Draws), Spread: s.spread(), Net: truth}
	err = job.Replicates(ctx, "insurance", c.Draws, func(replicate int, _ *rand.PCG) error {
		complete, err := data.Sample(truth, c.WideSizes[len(c.WideSizes)-1], job.Source(carsStream, replicate+1))
		if err != nil {
			return err
		}
		cases, err := s.newSample(complete)
		if err != nil {
			return err
		}
		return r.Curves.learn(ctx, s, cases, learners, replicate,
			func(k int) *rand.PCG { return job.Source(carsStream+1+uint32(k), replicate) })
	})
	return r, err
}

// uniformWhereUnseen is the table of the 12-3 structure that predicts equal probabilities for an input
// that did not occur: what a gradient leaves there of a start without knowledge.
func uniformWhereUnseen(c *baseline.Cases) baseline.Predictor {
	t := baseline.TrainTable(c)
	at := 0
	for _, card := range c.Out {
		for range card {
			t.Unseen[at] = 1 / float64(card)
			at++
		}
	}
	return t
}
