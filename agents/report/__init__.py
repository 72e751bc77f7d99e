"""Reports on the games themselves, from games of agents that play against themselves: ``python -m agents report``."""
