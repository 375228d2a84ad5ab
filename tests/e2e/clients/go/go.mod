module accord/tests/e2e/clients/go

go 1.24.0

require (
	github.com/lensesio/schema-registry v0.1.0
	github.com/twmb/franz-go/pkg/sr v1.8.0
)

// A package of Debian: the module proxies that we may use do not have it.
replace github.com/lensesio/schema-registry => /usr/share/gocode/src/github.com/lensesio/schema-registry
