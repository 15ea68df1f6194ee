"""What a trusted side could follow, hand over or trip on: none of it can be made, and no owner or mode changed."""

import os


def attack(x):
    with open("/tmp/mine", "w") as file:
        file.write("mine")
    folder = os.open("/tmp", os.O_RDONLY)
    attempts = {
        "symbolic link": lambda: os.symlink("/etc", "/tmp/a"),
        "symbolic link by descriptor": lambda: os.symlink("/etc", "b", dir_fd=folder),
        "link": lambda: os.link("/tmp/mine", "/tmp/c"),
        "link by descriptor": lambda: os.link("mine", "d", src_dir_fd=folder, dst_dir_fd=folder),
        "owner": lambda: os.chown("/tmp/mine", 0, 0),
        "set-uid": lambda: os.chmod("/tmp/mine", 0o4755),
        "pipe": lambda: os.mkfifo("/tmp/e"),
        "device": lambda: os.mknod("/tmp/f", 0o60666, os.makedev(8, 0)),
        "attribute": lambda: os.setxattr("/tmp/mine", "user.a", b"b"),
    }
    done = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    assert not done, done
    return x
