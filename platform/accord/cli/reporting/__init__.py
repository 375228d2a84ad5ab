"""What came of a check, written for people, programs and the services that run checks."""

from accord.cli.reporting.report import OUTPUTS, Output, Report, output_option, print_report

__all__ = ["OUTPUTS", "Output", "Report", "output_option", "print_report"]
