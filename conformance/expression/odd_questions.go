package expression

// OddQuestions are lines that are no question, or only just one.
var OddQuestions = []string{
	``, `{`, `null`, `[]`, `1`, `"x"`, `{}`, `{"expression":null}`, `{"expression":1}`, `{"expression":"true"} x`, `{"expression":"true","env":"old"}`,
	`{"expression":"true","as":"nothing"}`, `{"expression":"true","env":null,"as":null,"device":null,"featureGates":null}`, `{"expression":"true","featureGates":{"DRAListTypeAttributes":1}}`,
	`{"expression":"true","featureGates":{"SomethingElse":true}}`, `{"expression":"true","unknown":1}`, `{"Expression":"true"}`, `{"expression":"true","device":[]}`,
	`{"expression":"true","device":{"attributes":[]}}`, `{"expression":"true","device":{"attributes":{"a":1}}}`, `{"expression":"true","device":{"attributes":{"a":null}}}`,
	`{"expression":"true","device":{"attributes":{"a":{"int":"1"}}}}`, `{"expression":"true","device":{"attributes":{"a":{"int":1.5}}}}`,
	`{"expression":"true","device":{"attributes":{"a":{"int":9223372036854775808}}}}`, `{"expression":"true","device":{"attributes":{"a":{"bool":"true"}}}}`,
	`{"expression":"true","device":{"attributes":{"a":{"string":1}}}}`, `{"expression":"true","device":{"attributes":{"a":{"ints":[1,"2"]}}}}`,
	`{"expression":"true","device":{"capacity":{"m":{"value":"1K"}}}}`, `{"expression":"true","device":{"capacity":{"m":{"value":80}}}}`,
	`{"expression":"device.capacity[\"d\"].m.isInteger()","device":{"driver":"d","capacity":{"m":{}}}}`, `{"expression":"true","device":{"capacity":{"m":{"value":""}}}}`,
	`{"expression":"device.driver == ''","device":{"driver":null}}`, `{"expression":"true","device":{"driver":7}}`, `{"expression":"device.allowMultipleAllocations","device":{"allowMultipleAllocations":null}}`,
	`{"expression":"true","device":{"name":"gpu-0","taints":[],"unknown":{}}}`, `{"expression":"a","expression":"true"}`,
	`{"expression":"device.attributes[\"d\"].x == 1","device":{"driver":"d","attributes":{"x":{"int":1},"x":{"int":2}}}}`,
	`{"expression":"device.attributes[\"\"].x == 1 && device.attributes[\"a\"][\"b/c\"] == 2","device":{"attributes":{"/x":{"int":1},"a/b/c":{"int":2}}}}`,
}
