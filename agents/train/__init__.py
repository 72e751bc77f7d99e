"""Training on Stable-Baselines3: ``python -m agents train``. It needs the extra ``train``."""
