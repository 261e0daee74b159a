"""What several flows share: drawing and generating, estimating, asking for approval, measuring, finishing.

A flow's own file holds its order of steps; single pieces of work are in `tasks`.
"""
