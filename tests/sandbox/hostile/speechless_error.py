class SpeechlessError(Exception):
    def __str__(self):
        raise SpeechlessError

    __repr__ = __str__


def attack(x):
    raise SpeechlessError
