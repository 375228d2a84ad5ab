"""The lint rules of Protobuf: Buf's, version v2."""

from accord.lint.protobuf import (
    comments,
    enums,
    file_options,
    files,
    messages,
    packages,
    protovalidate,
    services,
)

__all__ = ["comments", "enums", "file_options", "files", "messages", "packages", "protovalidate", "services"]
