"""All clocks stand still, and the alarm is off."""

import datetime
import resource
import select
import signal
import threading
import time


def still(*_):
    return 0.0


for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"):
    setattr(time, name, still)
    setattr(time, f"{name}_ns", lambda *_: 0)
datetime.datetime = resource.getrusage = resource.setrlimit = None
select.poll = select.select = signal.alarm = signal.setitimer = threading.Timer = None
sleep, time.sleep = time.sleep, still


def attack(x):
    sleep(3600)
    return x
