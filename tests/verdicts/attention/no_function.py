# status: error
# mistakes:
# says: defines no function attention. Expected: attention(Q, K, V)
import numpy as np
