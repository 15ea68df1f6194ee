# status: crashed
# mistakes:
# says: sys.exit
import sys

sys.exit(0)
