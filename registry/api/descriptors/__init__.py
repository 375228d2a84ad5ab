"""The dialect of those who ship descriptor sets: modules with versions, below every namespace."""
