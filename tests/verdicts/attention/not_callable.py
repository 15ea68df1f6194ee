# status: error
# mistakes:
# says: defines no function attention
attention = 3
