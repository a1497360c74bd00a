"""Readers and writers of files, one module for each format."""
