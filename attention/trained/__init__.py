"""Ten heads of a trained encoder: what they hold, and the script that took them out of it."""
