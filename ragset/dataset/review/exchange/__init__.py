"""Goldens for people who judge with another tool, and what they said there as reviews."""
