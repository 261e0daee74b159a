"""The parameters of the flows: one model for each flow, read by Prefect's form, YAML files, the command line and docs.

What follows from parameters alone is here too: how they are read, permissions, languages, the metric that ranks. Checks that read
files are in `flows.steps.checks`. What a single setting means is said in `ragset.settings`; options of commands are in `flows.cli`.
"""
