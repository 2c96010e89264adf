"""What the demo project holds: pictures drawn by our own code, items about them, and answers."""
