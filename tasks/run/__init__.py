"""What each run has: models and their journal, cached results, progress, artifacts, logs, and folders in RAGSET_HOME.

Tasks of the stages are one folder up; limits that runs share are in `tasks/limits/`.
"""
