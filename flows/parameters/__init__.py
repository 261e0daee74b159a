"""The parameters of the flows: one model for each flow, read by Prefect's form, YAML files, the command line and docs.

What follows from parameters alone is here too: reading, permissions, languages, the metric that ranks. Checks that read files are
in `flows.steps.checks`; single settings are in `ragset.settings`.
"""
