"""Language models of providers, and the user's choice of them."""
