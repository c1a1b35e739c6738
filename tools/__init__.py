"""Programs that make files which ship; not shipped themselves."""
