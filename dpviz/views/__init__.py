"""Requests and sentences of the pages, without Streamlit."""
