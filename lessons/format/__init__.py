"""Parsing a lesson's file and its prose, with messages about mistakes."""
