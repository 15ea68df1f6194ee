"""Prints all that its process holds: nothing of it may be a secret of anybody else's."""

import gc
import os
import sys

MARK = "-".join(["heed", "secret", ""])


def attack(x):
    print(dict(os.environ), sys.argv, sys.path, sorted(sys.modules))
    frame = sys._getframe()
    while frame is not None:
        print(frame.f_code.co_name, sorted(frame.f_locals), {k: repr(v)[:300] for k, v in frame.f_locals.items()})
        frame = frame.f_back
    for thing in gc.get_objects() + [vars(module) for module in list(sys.modules.values())]:
        members = thing.values() if type(thing) is dict else thing if type(thing) in {list, tuple, set} else ()
        for member in list(members):
            if type(member) in {str, bytes} and MARK in str(member) and member != MARK:
                print(member)
    return x
