"""The review page: people judge items (goldens, answers, passages) in a browser, and each judgement becomes a line of `reviews.jsonl`.

The records and what is computed from them are in `ragset/dataset/review/`.
"""
