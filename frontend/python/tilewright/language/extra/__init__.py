"""Names beyond the core language: `libdevice`."""
