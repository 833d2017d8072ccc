package numtest

import (
	"os"
	"testing"
)

// Full reports whether a sweep runs whole: where the environment variable BNLAB_FULL is 1, as in CI, and not with
// -short. Otherwise it runs one of each kind.
func Full() bool { return os.Getenv("BNLAB_FULL") == "1" && !testing.Short() }
