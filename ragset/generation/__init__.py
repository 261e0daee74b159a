"""Makes goldens: which chunks are drawn, the stages that turn them into goldens, and which of these are kept."""
