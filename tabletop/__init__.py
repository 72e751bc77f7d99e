"""What the games share, and never a rule of any of them: compilation, randomness, masks, faces, records."""
