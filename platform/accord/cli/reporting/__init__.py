"""What came of a check, written for people, programs and the services that run checks."""

from accord.cli.reporting.report import Output, output_option, print_report, reports_option, write_report
from accord.cli.reporting.summary import Report

__all__ = ["Output", "Report", "output_option", "print_report", "reports_option", "write_report"]
