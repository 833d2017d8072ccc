package datasets

import (
	"fmt"
	"strings"
)

// container says how the wanted file is packed at its address.
type container int

const (
	plain container = iota
	zipped
	gzipped
)

// parseAddress splits an address of the register into what is fetched, how
// the file is packed in it, and the member's name in a ZIP archive.
func parseAddress(address string) (url string, in container, member string) {
	url, member, packed := strings.Cut(address, "#")
	switch {
	case !packed:
		return url, plain, ""
	case member == "":
		return url, gzipped, ""
	}
	return url, zipped, member
}

// describeAddress writes an address for a person who fetches by hand.
func describeAddress(address string) string {
	url, in, member := parseAddress(address)
	switch in {
	case zipped:
		return fmt.Sprintf("%s (the file %s in it)", url, member)
	case gzipped:
		return url + " (unpack it with gunzip)"
	}
	return url
}
