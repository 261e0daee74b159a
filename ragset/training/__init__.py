"""Training from goldens: examples with hard negatives, what is trained of them, and what it changed on the test side.

Only goldens of the train side are trained on. Measuring single systems is in `ragset.evaluation`, splits are in `ragset.dataset`.
"""
