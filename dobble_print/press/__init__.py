"""The press: where every card, mark and line of text goes is planned as data; then it is drawn and written as PDF."""
