"""Speed and size against what the project wants to reach: ``make bench``."""
