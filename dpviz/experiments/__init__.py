"""Runs: experiments, sweeps, studies, jobs, the store of results, and what is released."""
