print("samelistd")
