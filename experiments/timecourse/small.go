package timecourse

import "bnlab/bnkit/bn"

// Small is a network of four variables to try things on: a harder Task raises the Load, which
// nobody observes, and a high Load makes an Error and a long Time more likely.
func Small() (*bn.Network, error) {
	net, err := bn.New("[Task][Load|Task][Error|Load][Time|Load]",
		bn.Discrete("Task", "easy", "medium", "hard"),
		bn.Discrete("Load", "low", "high"),
		bn.Discrete("Error", "no", "yes"),
		bn.Discrete("Time", "short", "long"))
	if err != nil {
		return nil, err
	}
	for _, t := range []struct{ name, text string }{
		{"Load", `Task   | low high
		          easy   | 0.9 0.1
		          medium | 0.6 0.4
		          hard   | 0.2 0.8`},
		{"Error", `Load | no  yes
		           low  | 0.9 0.1
		           high | 0.4 0.6`},
		{"Time", `Load | short long
		          low  | 0.8 0.2
		          high | 0.3 0.7`},
	} {
		if err := net.SetTable(t.name, t.text); err != nil {
			return nil, err
		}
	}
	return net, nil
}
