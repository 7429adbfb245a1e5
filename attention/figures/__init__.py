"""One module a figure: settings in, texts out."""
