"""What each page shows, as typed values, and how they are made from what queries return."""
