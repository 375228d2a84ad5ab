"""A compiler process whose children may hardly take any memory, to be run instead of the real one."""

from __future__ import annotations

from accord.formats.protobuf import child, compiler

vars(child).update(LEAST_MEMORY=16 * child.MEBIBYTE, MEMORY_PER_BYTE=0)

if __name__ == "__main__":
    raise SystemExit(compiler.main())
