"""What commands print for people: test sets, corpora and estimates, benchmarks."""
