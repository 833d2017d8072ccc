package sharing

import "bnlab/experiments/run"

// Config is the size of the experiment.
type Config struct {
	Replicates int // true distributions drawn
	States     int // values of X
	Shared     int // states that carry shared parameters, the first ones
	MaxPlaces  int // a shared parameter is put in 2 to MaxPlaces states
	Examples   int // largest training set
	Search     int // largest training set of STBN, for the equivalent sizes
	Every      int // factors are averaged over the sizes Every, 2 Every, … Examples
}

// Paper is the setting of N06 §5.1.1 with 1,000 draws of T for its one.
func Paper() Config {
	return Config{Replicates: 1000, States: 50, Shared: 25, MaxPlaces: 5, Examples: 1000, Search: 5000, Every: 5}
}

// Quick is Paper with 100 draws of T.
func Quick() Config {
	c := Paper()
	c.Replicates = 100
	return c
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	if p == run.Paper {
		return Paper()
	}
	return Quick()
}
