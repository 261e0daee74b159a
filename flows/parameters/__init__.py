"""The parameters of the flows: one model for each flow, read by Prefect's form, YAML files, the command line and docs.

What can be checked by looking at parameters is here too: validity, permissions, languages, the metric that ranks.
What a single setting means is said in `ragset.settings`; how options are typed is in `flows.cli`.
"""
