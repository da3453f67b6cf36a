#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs rdma-core's own test_rdmacm.py, unmodified, on a software device.

Its base class finds a device's network interface in the folder of the device's parent. A software device has no parent, so every test
would skip. The kernel gives the same answer in the GID table; the two look-ups are answered from there, and nothing else is changed.

usage: pyverbs_runner.py DIR-WITH-TESTS DEVICE
Exit status 0 only if every test ran and passed.
"""
import gzip
import os
import shutil
import sys
import tempfile
import unittest

EXPECTED = 10


def unpack(source, target):
    """Debian compresses the larger files; the importer wants them plain."""
    for name in os.listdir(source):
        path = os.path.join(source, name)
        if name.endswith('.py.gz'):
            with gzip.open(path) as packed, open(os.path.join(target, name[:-3]), 'wb') as plain:
                shutil.copyfileobj(packed, plain)
        elif name.endswith('.py'):
            shutil.copy(path, target)


def net_of(device):
    with open(f'/sys/class/infiniband/{device}/ports/1/gid_attrs/ndevs/0', encoding='ascii') as file:
        return file.read().strip()


class OsWithNetFolders:
    """The module os, as the tests see it: the net folder of an RDMA device exists if its GID table names an interface."""

    class Path:
        def __getattr__(self, name):
            return getattr(os.path, name)

        @staticmethod
        def exists(path):
            parts = path.strip('/').split('/')
            if parts[:3] == ['sys', 'class', 'infiniband'] and parts[4:] == ['device', 'net']:
                return bool(net_of(parts[3]))
            return os.path.exists(path)

    path = Path()

    def __getattr__(self, name):
        return getattr(os, name)


class Result(unittest.TextTestResult):
    """Keeps the names of what passed, so that the report is a count of successes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.passed = []

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed.append(test.id())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[-2])
    source, device = sys.argv[1:]
    if not os.path.isdir(source):
        sys.exit(f"pyverbs_runner: no folder {source} (package python3-pyverbs and its documentation)")

    with tempfile.TemporaryDirectory() as folder:
        tests = os.path.join(folder, 'tests')
        os.mkdir(tests)
        unpack(source, tests)
        # The package's own __init__ imports the tests of every vendor; one module is wanted.
        with open(os.path.join(tests, '__init__.py'), 'w', encoding='ascii'):
            pass
        sys.path[:0] = [folder, tests]
        # Inherited by the processes that the tests fork.
        sys.argv[1:] = ['--dev', device]
        from args_parser import parser
        parser.parse_args()
        import tests.base
        tests.base.os = OsWithNetFolders()
        tests.base.RDMATestCase.get_net_name = staticmethod(net_of)
        import tests.test_rdmacm

        suite = unittest.defaultTestLoader.loadTestsFromModule(tests.test_rdmacm)
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)
    print(f'pyverbs: {result.testsRun} run, {len(result.passed)} passed, {len(result.failures) + len(result.errors)} failed, '
          f'{len(result.skipped)} skipped')
    bad = not result.wasSuccessful() or result.skipped or len(result.passed) != EXPECTED
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
