"""Exports of a page: standalone HTML files, data, pictures, worksheets, links."""
