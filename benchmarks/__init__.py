"""What the README's figures come from: `make bench` runs all of it and prints one table."""
