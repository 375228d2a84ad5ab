"""The generated pages of the manual: each is printed from the table that the product itself runs on."""
