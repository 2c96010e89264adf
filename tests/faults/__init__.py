"""What happens when the machine fails: nothing that was acknowledged is ever lost."""
