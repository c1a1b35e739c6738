"""Untrusted files are opened in processes with limits."""
