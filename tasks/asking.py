"""The models of this process: one client, limiter and journal for all tasks that ask the same model.

Tasks take settings and names, never live clients; this is where they find the client.
"""
