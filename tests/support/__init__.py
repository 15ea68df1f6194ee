"""Servers and a browser for tests: started on free ports in scratch folders, stopped by their own process ids."""
