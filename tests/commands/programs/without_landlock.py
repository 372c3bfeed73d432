"""Runs a command as on a kernel without Landlock: a filter answers its system calls with ENOSYS."""

import ctypes, os, struct, sys

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | 38
steps = [(LOAD, 0, 0, 0)]
# landlock_create_ruleset, landlock_add_rule and landlock_restrict_self have these numbers on every processor.
steps += [(EQUAL, 3 - i, 0, 444 + i) for i in range(3)]
steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, NO_SUCH_CALL)]
filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


program = Program(len(steps), ctypes.addressof(filter))
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execvp(sys.argv[1], sys.argv[1:])
