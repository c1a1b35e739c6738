"""Do symbols look alike? Pictures are measured as people with and without full colour vision see them."""
