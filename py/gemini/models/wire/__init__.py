"""What asks providers: imported only when the packages of the group `models` are there."""
