"""Controls, cards, charts and downloads that pages share."""
