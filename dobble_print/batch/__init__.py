"""Batches: many jobs, each on its own, on one machine or many.

model       what a job is, and how it went
joblist     command line, folders and job lists → jobs
inputs      what a job is made from: its hash, and its bytes where they travel
work        one job → files and report, in a worker's process
foreman     the process that forks a worker for each job
isolation   one job in a worker of its own: time limit, death, result
ledger      what was done already: report.json, and whether it still holds
conduct     all jobs through one executor, results delivered as they come
"""
