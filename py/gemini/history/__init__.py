"""What files were before agents changed them: kept by checkpoints, shown as differences, taken back."""
