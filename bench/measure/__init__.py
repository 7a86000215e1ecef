"""What the measured figures do, a module for each subject; `bench.figures` names and runs them.

A figure is a function that writes numbers into the dictionary it is given.
"""
