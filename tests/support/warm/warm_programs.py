"""Starts torchbook's programs fast for Python tests."""
import os
import pathlib
import subprocess

SERVERS = []  # each ends when its stdin does, with this process


def folder(programs):
    """Returns a folder with the programs that a server runs, because LibTorch takes half a second to start. client.cpp
    tells what the server does for them. The argument is the folder of the programs themselves."""
    programs = pathlib.Path(programs).resolve()
    server = subprocess.Popen([programs / "cli_test", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    SERVERS.append(server)
    os.environ["TORCHBOOK_WARM"] = server.stdout.readline().strip()
    return programs.parent / "tests/warm"
