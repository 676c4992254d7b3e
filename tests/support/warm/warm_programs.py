"""Starts torchbook's programs fast for Python tests."""
import functools
import os
import pathlib
import subprocess

NONE = {"TORCHBOOK_WARM": ""}  # the environment in which the programs in the folder start as usual
SERVERS = []  # each ends when its stdin does, with this process


@functools.cache
def folder(programs):
    """Returns a folder with the programs that servers run, because LibTorch and PyTorch take long to start. client.cpp
    tells what they do for them. The argument is the folder of the programs themselves."""
    programs = pathlib.Path(programs).resolve()
    server = subprocess.Popen([programs / "cli_test", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    SERVERS.append(server)
    os.environ["TORCHBOOK_WARM"] = server.stdout.readline().strip()
    return programs.parent / "tests/warm"


def program(path):
    """Returns what stands for a program, or the program itself where nothing does."""
    path = pathlib.Path(path)
    warm = folder(path.parent) / path.name
    return warm if warm.exists() and warm.resolve().name == "warm_client" else path
