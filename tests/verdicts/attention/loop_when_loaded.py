# status: timeout
# mistakes:
# says: had not finished after 1 seconds
while True:
    pass
