"""The steps that flows share: checks, drawing and generating, estimating, asking for approval, measuring, finishing."""
