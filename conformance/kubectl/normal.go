package kubectl

import "regexp"

// normalizers take out what no two servers have in common, and no two runs. Blanks go together, for the width of a column
// follows from what is in it.
var normalizers = []struct {
	pattern *regexp.Regexp
	becomes string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}`), "TIME"},
	{regexp.MustCompile(`\b(\d{1,3}s|\dm\d{0,2}s?)( ago)?(\s|$)`), "AGE$2$3"},
	{regexp.MustCompile(`(resourceVersion"?: ?)"\d+"`), "${1}VERSION"},
	{regexp.MustCompile(`(?m)^( *Resource Version:\s+)\d+$`), "${1}VERSION"},
	{regexp.MustCompile(`https?://127\.0\.0\.1:\d+`), "ADDRESS"},
	{regexp.MustCompile(`\b10\.96\.\d+\.\d+\b`), "CLUSTERIP"},
	{regexp.MustCompile(`(kube-api-access-|drawn-)[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "${1}SUFFIX"},
	{regexp.MustCompile(`/tmp/[^\s"]*/`), "FOLDER/"},
	{regexp.MustCompile(`(\S) {2,}`), "$1 "},
	{regexp.MustCompile(`(?m) +$`), ""},
}

func normalize(text string) string {
	for _, each := range normalizers {
		text = each.pattern.ReplaceAllString(text, each.becomes)
	}
	return text
}
