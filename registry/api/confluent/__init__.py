"""The Confluent dialect: thin views with their own routes, negotiation and error shape."""
