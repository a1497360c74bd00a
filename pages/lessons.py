"""Lets a fresh server open this address: runs the frame, which then shows the page."""

from app import main

main()
