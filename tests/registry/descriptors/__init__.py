"""The dialect of descriptor sets, through every layer."""
