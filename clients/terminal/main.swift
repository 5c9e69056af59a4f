print("samelist")
