package graphs

import (
	"errors"
	"math"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// ripple has the mean 0 over eight draws, another one for each series.
func ripple(series, draw int) float64 {
	return 0.01 * math.Cos(2*math.Pi*float64(draw*(series%3+1))/8)
}

// made are results in which what is claimed is better by a step, positive or negative, or by nothing beyond chance.
func made(better float64) *Results {
	c := Config{Draws: 8, Sizes: []int{100, 200, 400}, Shares: []float64{0, 0.2, 0.5}, HiddenSizes: []int{200, 2000},
		KnownShares: []float64{0.1, 0.3}, NamedSizes: []int{200, 500}}
	r := &Results{Config: c}
	for _, name := range []string{"alarm", simulated, simulatedCauses} {
		w := &Worth{Network: name, Of: make(map[string][][]Errors)}
		for k, l := range learners(name) {
			for i := range c.Sizes {
				var list []Errors
				for draw := range 8 {
					e := Errors{Skeleton: 10, Arrowheads: 10 - float64(i)}
					x := ripple(k, draw)
					switch l {
					case tiers:
						e.Skeleton += arc - better
						e.Arrowheads -= better
						if i == 1 { // half an error less with twice the cases
							e.Arrowheads = 8 - better
						}
					case signs, both:
						e.Skeleton, e.Arrowheads, e.HeldOut = e.Skeleton-better, e.Arrowheads-better, better
						if l == both {
							e.HeldOut = math.Max(better, 0) + better
						}
					case grouped:
						e.Skeleton -= better
					case falseTiers, pc:
						e.Arrowheads += better
					case falseSigns:
						e.HeldOut = -margin + better
					case mmhc:
						e.Skeleton += arc - better
					case sharing:
						e.Skeleton, e.HeldOut = e.Skeleton-better, better
					case noisyOR:
						e.Skeleton -= better
					case several:
						e.HeldOut = math.Max(better, 0) + better
					case falseSharing, falseNoisyOR:
						e.HeldOut = -margin + better
					case falseSeveral:
						e.Skeleton += better
					}
					e.Skeleton, e.Arrowheads, e.HeldOut = e.Skeleton+x, e.Arrowheads+x, e.HeldOut+x
					list = append(list, e)
				}
				w.Of[l] = append(w.Of[l], list)
			}
		}
		r.Worth = append(r.Worth, w)
	}
	r.Worth, r.Causes = r.Worth[:2], r.Worth[2]
	r.Known = madeKnown(c, better)
	r.Gaps = &Gaps{Of: make(map[string][][]Errors), Same: []bool{true, better >= 0}}
	for k, p := range policies {
		for range c.Shares {
			var list []Errors
			for draw := range 8 {
				e := Errors{HeldOut: ripple(k, draw)}
				if p == structuralEM {
					e.HeldOut += better
				}
				list = append(list, e)
			}
			r.Gaps.Of[p] = append(r.Gaps.Of[p], list)
		}
	}
	// Of eight draws so many have the cause, with the fewest cases and with the most.
	found := [2]int{4, 4}
	if better > 0 {
		found = [2]int{0, 8}
	} else if better < 0 {
		found = [2]int{8, 0}
	}
	for _, n := range found {
		list := make([]Cause, 8)
		for draw := range n {
			list[draw] = Cause{true, true}
		}
		r.Hidden = append(r.Hidden, list)
	}
	r.Set = &Set{}
	for draw := range 8 {
		r.Observed = append(r.Observed, Errors{Arrowheads: 5 + ripple(0, draw)})
		r.Intervened = append(r.Intervened, Errors{Arrowheads: 5 - better + ripple(1, draw)})
	}
	return r
}

// madeKnown are those of structural EM. The gain of statements grows with the share of missing cells.
func madeKnown(c Config, better float64) *Known {
	known := &Known{make(map[string][][]Errors), make(map[string][][]Named)}
	for k, l := range knowers {
		for i := range c.KnownShares {
			var list []Errors
			for draw := range 8 {
				x := ripple(k+i, draw)
				e := Errors{Arrowheads: x, HeldOut: x}
				switch l {
				case tiers:
					e.Arrowheads -= better
				case several:
					e.HeldOut += better * float64(1+i)
				case falseSeveral:
					e.HeldOut -= better
				}
				list = append(list, e)
			}
			known.Gaps[l] = append(known.Gaps[l], list)
		}
	}
	// Of eight draws so many have the cause in its place, and with knowledge as many more.
	for _, l := range namers {
		n := 4
		if l != none && better != 0 {
			n += int(math.Copysign(4, better))
		}
		for range c.NamedSizes {
			list := make([]Named, 8)
			for draw := range n {
				list[draw].Exact = true
			}
			known.Named[l] = append(known.Named[l], list)
		}
	}
	return known
}

// opinions are n arcs with a probability of .75, of which a share is there.
func opinions(n int, share float64) []Opinion {
	var list []Opinion
	for i := range n {
		list = append(list, Opinion{0.75, float64(i) < share*float64(n)})
	}
	return list
}

// TestVerdicts: results for which each rule says yes and no, and some that cannot be told; last, without a network.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for k, better := range []float64{0.2, -0.2, 0, 0.2} {
		r := made(better)
		list := [][]Opinion{opinions(200, .77), opinions(200, .5), opinions(200, .83), opinions(99, .5)}[k]
		r.Opinions = &Opinions{list, list}
		if k == 3 {
			r.Worth[0] = &Worth{Network: "alarm", Missing: errors.New("not here")}
		}
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			r.claims(job)
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"true tiers: fewer arrowhead errors than none": "yes no n/a n/a",
		"true tiers: not more skeleton errors":         "yes no n/a n/a",
		"true signs: fewer errors of both kinds":       "yes no n/a n/a",
		"true signs: the held-out score":               "yes no n/a n/a",
		"tiers and signs together":                     "yes no yes n/a",
		"a quarter of the tiers' variables":            "yes no n/a n/a",
		"a quarter of the signs":                       "yes no n/a n/a",
		"hierarchy (B06)":                              "yes no n/a yes",
		"true tiers are worth at least":                "yes no n/a n/a",
		"PC-stable has more arrowhead errors":          "yes no n/a n/a",
		"MMHC has not more skeleton errors":            "yes no n/a n/a",
		"a fifth of the cells missing":                 "yes no n/a yes",
		"the same against imputing":                    "yes no n/a yes",
		"without missing cells structural EM":          "yes no yes yes",
		"the planted cause of 3-1-3":                   "yes no n/a yes",
		"and in more draws":                            "yes no n/a yes",
		"networks drawn from the prior":                "yes no n/a n/a",
		"the same of bootstrap strengths":              "yes no n/a n/a",
		"interventions: fewer arrowhead errors":        "yes no n/a yes",
		"true sharing: the held-out score":             "yes no n/a n/a",
		"true sharing: fewer skeleton errors":          "yes no n/a n/a",
		"true noisy-OR on simulated causes":            "yes no n/a yes",
		"several on simulated causes: a higher":        "yes no n/a yes",
		"several on simulated causes are worth":        "yes no n/a yes",
		"a quarter of the sharing mixed up":            "yes no n/a n/a",
		"a quarter of the noisy-ORs":                   "yes no n/a yes",
		"several, a quarter of each false: more":       "yes no n/a n/a",
		"cells missing: structural EM under tiers":     "yes no n/a yes",
		"cells missing: structural EM under several":   "yes no n/a yes",
		"and gains more by them":                       "yes no n/a yes",
		"several, a quarter of each false: structural": "yes no n/a yes",
		"a hidden cause that is named":                 "yes no n/a yes",
		"the same under signs":                         "yes no n/a yes",
	})
}
