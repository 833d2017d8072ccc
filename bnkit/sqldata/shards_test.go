package sqldata_test

import (
	"database/sql"
	"strings"
	"testing"

	"bnlab/bnkit/sqldata"
)

func TestShardsThatCannotBe(t *testing.T) {
	for want, o := range map[string]*sqldata.Options{
		"without a Table":   {Query: "SELECT 1", Shards: []string{"a"}},
		`names "a" twice`:   {Table: "t", Shards: []string{"a", "b", "a"}},
		"has an empty part": {Table: "t", Shards: []string{""}},
	} {
		_, err := sqldata.Open(t.Context(), new(sql.DB), sqldata.PostgreSQL(), o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
