"""Text that another program extracted or quoted, found again in the documents.

Quotes of a known chunk (`text.quotes`) and evidence in changed documents (`dataset.realign`) follow stricter rules.
"""
