"""``python -m accord`` is the command line, where no script is on the path."""

from accord.cli import main

main(prog_name="accord")
