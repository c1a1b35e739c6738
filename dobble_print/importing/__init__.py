"""Word lists, typed words and folders of pictures become a new theme."""
