import fcntl
import os
import termios

TIOCLINUX, TIOCCONS = 0x541C, 0x541D  # paste what was selected; take the console's output
TERMINALS = ("/dev/tty", "/dev/tty0", "/dev/tty1", "/dev/console", "/dev/ptmx", "/dev/pts/0", "/dev/ttyS0")


def attack(x):
    done = []
    for terminal in TERMINALS:
        try:
            os.open(terminal, os.O_RDWR)
        except OSError:
            continue
        done.append(terminal)
    for descriptor in range(4):
        for request in (termios.TIOCSTI, termios.TIOCSCTTY, TIOCLINUX, TIOCCONS):
            try:
                fcntl.ioctl(descriptor, request, b"x")
            except PermissionError:
                continue
            except OSError as error:
                done.append((descriptor, request, error.errno))  # a terminal would have done it
                continue
            done.append((descriptor, request))
    assert not done, done
    return x
