"""Reads: what pages, API and exports ask of the database."""
