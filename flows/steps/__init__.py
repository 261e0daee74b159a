"""What several flows share: the way in with its checks, drawing and generating, estimating, asking for approval, measuring, finishing.

A flow's own file holds its order of steps; single pieces of work are in `tasks`.
"""
