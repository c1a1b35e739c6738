"""What lies where on paper, as data: plan, nesting, cutting, marks and pages. Nothing is drawn here."""
