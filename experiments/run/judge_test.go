package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/internal/atomicfile"
)

func TestJudge(t *testing.T) {
	s := Statement{Claim: "c", Source: "s", Kind: Theorem, Data: Simulated, Prediction: PredictYes, Note: "because"}
	standIn, real := s, s
	standIn.Data, real.Data = StandIn, Real
	band := Band{Mean: 2, P05: 1, P50: 2, P95: 3, Replicates: 9}
	tests := []struct {
		name    string
		profile Profile
		judge   func(*Job)
		holds   Verdict
		failed  bool
		note    string
	}{
		{"ordering holds", Paper, func(j *Job) { j.Order(s, "", "", true) }, Yes, false, "because"},
		{"ordering does not", Paper, func(j *Job) { j.Order(s, "", "", false) }, No, true, "because"},
		{"ordering, quick", Quick, func(j *Job) { j.Order(s, "", "", false) }, No, true, "because"},
		{"ordering, real data", Paper, func(j *Job) { j.Order(real, "", "", true) }, Yes, false, "because"},
		{"ordering, stand-in", Paper, func(j *Job) { j.Order(standIn, "", "", true) }, NotJudged, false,
			"because; stand-in data: shown, not judged"},
		{"ordering, stand-in, does not", Paper, func(j *Job) { j.Order(standIn, "", "", false) }, NotJudged, false,
			"because; stand-in data: shown, not judged"},
		{"number inside", Paper, func(j *Job) { j.Number(s, 2.5, 2, band) }, Yes, false, "because"},
		{"number at the lower end", Paper, func(j *Job) { j.Number(s, 1, 2, band) }, Yes, false, "because"},
		{"number at the upper end", Paper, func(j *Job) { j.Number(s, 3, 2, band) }, Yes, false, "because"},
		{"number below", Paper, func(j *Job) { j.Number(s, 0.9, 2, band) }, No, true, "because"},
		{"number above", Paper, func(j *Job) { j.Number(s, 3.1, 2, band) }, No, true, "because"},
		{"number, quick", Quick, func(j *Job) { j.Number(s, 2, 2, band) }, NotJudged, false,
			"because; judged in the paper profile"},
		{"number outside, quick", Quick, func(j *Job) { j.Number(s, 9, 2, band) }, NotJudged, false,
			"because; judged in the paper profile"},
		{"number, stand-in", Paper, func(j *Job) { j.Number(standIn, 2, 2, band) }, NotJudged, false,
			"because; stand-in data: shown, not judged"},
		{"bound inside", Paper, func(j *Job) { j.NumberAbove(s, 2.9, 2, band) }, Yes, false, "because"},
		{"bound at the end", Paper, func(j *Job) { j.NumberAbove(s, 3, 2, band) }, No, true, "because"},
		{"bound, quick", Quick, func(j *Job) { j.NumberAbove(s, 9, 2, band) }, NotJudged, false,
			"because; judged in the paper profile"},
		{"two standard errors", Paper, func(j *Job) { j.NumberNear(s, 2.5, 2, 0.25) }, Yes, false,
			"because; standard error 0.25"},
		{"more than two standard errors", Paper, func(j *Job) { j.NumberNear(s, 2.6, 2, 0.25) }, No, true,
			"because; standard error 0.25"},
		{"standard errors, quick", Quick, func(j *Job) { j.NumberNear(s, 2, 2, 0.25) }, NotJudged, false,
			"because; standard error 0.25; judged in the paper profile"},
		{"missing", Paper, func(j *Job) { j.Missing(s, "5", "no data") }, NotJudged, false, "because; no data"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := &Job{Profile: test.profile}
			test.judge(j)
			if j.err != nil {
				t.Fatal(j.err)
			}
			c := j.claims[0]
			if c.Holds != test.holds || c.Failed() != test.failed || c.Note != test.note {
				t.Errorf("holds %s, failed %v, note %q; want %s, %v, %q", c.Holds, c.Failed(), c.Note, test.holds,
					test.failed, test.note)
			}
		})
	}
}

func TestOnlyRegressionsFail(t *testing.T) {
	for _, test := range []struct {
		prediction Prediction
		holds      Verdict
		surprises  bool
	}{
		{PredictYes, No, true}, {PredictYes, Yes, false}, {PredictYes, NotJudged, false},
		{PredictNo, No, false}, {PredictNo, Yes, true}, {PredictNo, NotJudged, false},
		{PredictUnknown, No, false}, {PredictUnknown, Yes, false},
	} {
		for _, kind := range []Kind{Finding, Theorem, Published} {
			c := Claim{Statement: Statement{Kind: kind, Prediction: test.prediction}, Holds: test.holds}
			if c.Surprising() != test.surprises || c.Failed() != (test.surprises && kind != Finding) {
				t.Errorf("%s, predicted %s, holds %s: failed %v, surprising %v", kind, test.prediction, test.holds,
					c.Failed(), c.Surprising())
			}
		}
	}
}

func TestBasis(t *testing.T) {
	s := Statement{Claim: "c", Source: "s", Data: Simulated, Prediction: PredictYes}
	for _, test := range []struct {
		kind  Kind
		basis Basis
		want  string
	}{
		{"", "", ""}, {Finding, Theory, ""}, {Finding, FromPaper, ""}, {Theorem, "", ""}, {Theorem, Theory, ""},
		{Published, FromPaper, ""}, {Finding, Pilot("60 draws", "abc1234"), ""}, {Finding, Afterwards("abc1234"), ""},
		{Theorem, Pilot("60 draws", "abc1234"), "a theorem is predicted from theory"},
		{Finding, "hunch", "basis is \"hunch\""}, {"guess", Theory, "kind is \"guess\""},
	} {
		s.Kind, s.Basis = test.kind, test.basis
		j := &Job{Profile: Paper}
		j.Order(s, "", "", true)
		if test.want == "" && j.err != nil || test.want != "" && (j.err == nil ||
			!strings.Contains(j.err.Error(), test.want)) {
			t.Errorf("kind %q, basis %q: error %v, want %q", test.kind, test.basis, j.err, test.want)
		}
	}
	if !Theory.BeforeRun() || !FromPaper.BeforeRun() || Pilot("60 draws", "abc1234").BeforeRun() ||
		Afterwards("abc1234").BeforeRun() {
		t.Error("only theory and the paper are before the run")
	}
}

func TestClaimsFile(t *testing.T) {
	j := &Job{Profile: Paper}
	j.Number(Statement{Claim: "a, \"b\"", Source: "N06 Table 1", Data: Simulated, Unit: "nats", Prediction: PredictNo,
		Basis: Pilot("60 draws", "abc1234"), Note: "n"}, 0.05, 0.0625, Band{P05: 0.03, P95: 0.09})
	b, err := marshalClaims(j.claims)
	if err != nil {
		t.Fatal(err)
	}
	want := "claim,source,kind,data,paper,ours,ours_p05,ours_p95,unit,prediction,basis,holds,note\n" +
		"\"a, \"\"b\"\"\",N06 Table 1,finding,simulated,0.05,0.0625,0.03,0.09,nats,no,\"pilot: 60 draws, " +
		"abc1234\",yes,n\n"
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
	path := t.TempDir() + "/claims.csv"
	if err := atomicfile.WriteFile(path, b); err != nil {
		t.Fatal(err)
	}
	back, err := readClaims(path)
	if err != nil || len(back) != 1 || back[0] != j.claims[0] {
		t.Errorf("read back %+v, %v", back, err)
	}
	if err := atomicfile.WriteFile(path, []byte(strings.Replace(want, "yes", "maybe", 1))); err != nil {
		t.Fatal(err)
	}
	if _, err := readClaims(path); err == nil ||
		!strings.Contains(err.Error(), `claim 1: run: claim "a, \"b\"": holds is "maybe"`) {
		t.Errorf("error %v for a verdict that does not exist", err)
	}
}

func TestWriteFileLeavesNothingHalfWritten(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.Mkdir(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFile(taken, []byte("x")); err == nil {
		t.Error("no error for writing over a directory")
	}
	if found, _ := os.ReadDir(dir); len(found) != 1 {
		t.Errorf("left behind: %v", found)
	}
}
