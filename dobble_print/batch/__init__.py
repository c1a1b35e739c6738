"""Batches: many jobs, each on its own, on one machine or many."""
