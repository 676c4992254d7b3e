"""Answers the client of the warm programs under the name python3: runs the text behind -c in a fork of this Python, which
has imported PyTorch by then. Its argument is the number of a socket that listens. request.h tells what clients send.

PyTorch is imported for the first request, because few tests make any.
"""
import array
import ctypes
import fcntl
import os
import select
import signal
import socket
import sys
import traceback
import types

sys.path[0] = ""  # as behind -c
WORDS, FOLDER, STANDARD, PASSED = 0, 1, 2, 4
DECLINED = -2
PR_SET_PDEATHSIG = 1


def has_same_start(environment):
    """Returns whether Python and PyTorch would start in this environment as they did here."""
    def decisive(variables):
        prefixes = ("PYTHON", "LANG", "LC_", "ATEN_", "LD_", "MKL_", "OMP_", "OPENBLAS_")
        return {name: value for name, value in variables.items() if name.startswith(prefixes)}
    return decisive(environment) == decisive(os.environ)


def taken(file):
    """Returns the words and the environment in a file of a request."""
    with open(file, "rb") as sent:
        sent.seek(0)
        parts = os.fsdecode(sent.read()).split("\0")[:-1]
    words = [part[1:] for part in parts if part[0] == "\1"]
    return words, dict(part[1:].split("=", 1) for part in parts if part[0] == "\2" and "=" in part)


def carry_out(words, environment, descriptors, is_open):
    """Does what `python3 -c TEXT WORD...` does, and ends this process."""
    os.setsid()  # the client's group is not this one's
    os.fchdir(descriptors[FOLDER])
    above = [fcntl.fcntl(file, fcntl.F_DUPFD, PASSED) for file in descriptors]  # so that none hides another
    os.closerange(0, PASSED)
    for number in range(PASSED):
        if is_open >> number & 1:
            os.dup2(above[STANDARD + number], number)
    os.closerange(PASSED, max(above) + 1)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c", *words[3:]]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    code = 0
    try:
        exec(compile(words[2], "<string>", "exec"), main.__dict__)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    os._exit(code)


def tell(client, number):
    try:
        client.send(array.array("i", [number]).tobytes())
    except BrokenPipeError:  # the client was killed
        pass


def answer(client):
    """Receives a request, and answers it when its program has ended. That is killed with the client."""
    byte, descriptors, _, _ = socket.recv_fds(client, 1, STANDARD + PASSED)
    words, environment = taken(os.dup(descriptors[WORDS]))
    if words[1:2] != ["-c"] or not has_same_start(environment):
        tell(client, DECLINED)
        return
    process = os.fork()
    if process == 0:
        client.close()
        carry_out(words, environment, descriptors, byte[0])
    for file in descriptors:
        os.close(file)
    tell(client, process)
    ended = os.pidfd_open(process)
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    waiting.register(client, select.POLLHUP)
    if ended not in dict(waiting.poll()):
        os.killpg(process, signal.SIGKILL)
    tell(client, os.waitpid(process, 0)[1])


def main():
    listening = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for those that answer
    while True:
        client, _ = listening.accept()
        import torch  # noqa: for those that are forked
        server = os.getpid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if os.getppid() == server:
                listening.close()
                answer(client)
            os._exit(0)
        client.close()


main()
