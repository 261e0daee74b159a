"""Prompt files: Markdown with a YAML head, checked when they are loaded, known by a digest.

A file says what it is for, which inputs it needs, which model its reply is read into, and shows examples
with reasons. Examples are rendered as past turns through the same user template as the case itself, and
what stays the same from call to call comes first, so that providers can cache it.
"""
