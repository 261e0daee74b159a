"""Labels for queries of one's own: read, pool, grade, answer. Queries that ragset drafts itself are in `stages`."""
