"""Ready for a press: inks, flattening, low ink, cut layers and the claim of PDF/X."""
