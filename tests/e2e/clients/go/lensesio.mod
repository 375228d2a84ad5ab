module github.com/lensesio/schema-registry
