package nb

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

const claimsHeader = "claim,source,kind,data,paper,ours,unit,prediction,basis,holds,note\n"

type claimTable string

func (c claimTable) ClaimTable() (dataframe.DataFrame, error) {
	df := dataframe.ReadCSV(strings.NewReader(string(c)))
	return df, df.Error()
}

func (c claimTable) String() string { return "computed <today>." }

func TestClaims(t *testing.T) {
	sent := recorder(t)
	Claims(claimTable(claimsHeader +
		"came,s1,finding,real,1,2,,yes,theory,yes,n1\n" +
		"not <b>,s2,finding,stand-in,1,2,nats,unknown,,no,a & b\n" +
		"other,s3,finding,real,1,2,,no,theory,yes,\n" +
		"fails,s4,theorem,simulated,1,2,,yes,theory,no,\n" +
		"sum,s5,published,printed,1,1,,yes,paper,yes,\n" +
		"open,s6,finding,real,1,–,,yes,paper,n/a,\n"))
	if len(*sent) != 1 {
		t.Fatalf("%d displays", len(*sent))
	}
	page, _ := (*sent)[0].Data[protocol.MIMETextHTML].(string)
	text, _ := (*sent)[0].Data[protocol.MIMETextPlain].(string)
	tally := "Of 4 findings 1 did not come out, 1 cannot be told, 2 came out; 1 against prediction. " +
		"Of 2 tests 1 failed."
	for name, s := range map[string]string{"page": page, "text": text} {
		at := -1
		for _, want := range []string{tally, "Tests that failed (1)", "fails", "Did not come out (1)",
			"Cannot be told (1)", "Came out (2)", "Theorems, and arithmetic on published numbers (1)"} {
			next := strings.Index(s, want)
			if next <= at {
				t.Errorf("%s: %q is at %d, after %d:\n%s", name, want, next, at, s)
			}
			at = next
		}
	}
	for _, want := range []string{"not &lt;b&gt;<br><small>s2</small>", "a &amp; b", "2 nats", "stand-in",
		"<b>no, theory</b>", "<small>computed &lt;today&gt;.</small>", "<b>yes, theory</b>",
		"<details" + verbatim + "><summary>Came out", "<details" + verbatim + " open><summary>Tests"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(text, "came,") || !strings.Contains(text, "s2: not <b>. Paper 1, ours 2 nats; stand-in data") {
		t.Errorf("text:\n%s", text)
	}
}

// TestClaimsWidths has columns that share the page, with more than half of it for the claim and the note.
func TestClaimsWidths(t *testing.T) {
	page := claimsHTML([]claimGroup{{heading: "Came out", claims: []claim{{text: "a"}}}})
	widths := map[string]int{}
	sum := 0
	for _, m := range regexp.MustCompile(`<th style="[^"]*width:(\d+)%">(\w+)</th>`).FindAllStringSubmatch(page, -1) {
		widths[m[2]], _ = strconv.Atoi(m[1])
		sum += widths[m[2]]
	}
	if len(widths) != 6 || sum != 100 || widths["claim"]+widths["note"] <= 50 {
		t.Errorf("widths %v:\n%s", widths, page)
	}
}

func TestClaimsErrors(t *testing.T) {
	for want, c := range map[string]claimTable{
		`no column "source"`: "claim\nx\n",
		`holds "perhaps"`:    claimsHeader + "x,s,finding,real,1,2,,yes,theory,perhaps,\n",
	} {
		df, _ := c.ClaimTable()
		if _, err := claimGroups(df); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
