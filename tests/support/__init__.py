"""What the tests share: one view of both implementations, a plain bag, random rules and positions."""
