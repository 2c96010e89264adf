"""How many annotators the site carries: ``make load``."""
