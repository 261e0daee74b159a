"""What a benchmark measures: ranking, characters retrieved, answers, and how sure the means are."""
