"""Stores that do not outlast a file system, another process or a copy, and that say nothing of damage."""

from __future__ import annotations

from .honest import with_methods

__all__ = ["LASTING"]

LASTING = [
    with_methods(
        "durable",
        "keeps its file where files may be lost, a new one each time",
        """
        def __init__(self, context):
            super().__init__(Changed(context, data_dir=context.cache_dir / uuid.uuid4().hex))
        """,
    ),
    with_methods(
        "several-at-once",
        "raises when another process has the store open",
        """
        @hookimpl
        def put(self, batch):
            folder = self._context.data_dir
            (folder / f"open-{os.getpid()}").touch()
            others = {int(path.name.partition("-")[2]) for path in folder.glob("open-*")} - {os.getpid()}
            if any(is_alive(pid) for pid in others):
                raise RuntimeError("locked")
            return super().put(batch)
        """,
    ),
    with_methods(
        "killed",
        "opens no store that a process left without closing it",
        """
        def __init__(self, context):
            super().__init__(context)
            self._mark = None

        @hookimpl
        def put(self, batch):
            self._marked()
            return super().put(batch)

        @hookimpl
        def migrate(self):
            self._marked()
            return super().migrate()

        def _marked(self):
            if self._mark is None:
                folder = self._context.data_dir
                if any(not is_alive(int(path.name.split("-")[1])) for path in folder.glob("open-*")):
                    raise StoreError("The store was not closed.")
                self._mark = folder / f"open-{os.getpid()}-{id(self)}"
                self._mark.touch()
                weakref.finalize(self, self._mark.unlink, missing_ok=True)
        """,
    ),
    with_methods(
        "backup-whole",
        "copies its file without what is still in the log",
        """
        @hookimpl
        def backup(self, path):
            if os.path.lexists(path):
                raise StoreError("There is something already.")
            shutil.copyfile(self._context.data_dir / "store.sqlite3", path)
            held = super().state("counts")
            return Backup(documents=held.documents, schema_version=held.schema_version)
        """,
    ),
    with_methods(
        "backup-refuses",
        "replaces what is where the backup is to be",
        """
        @hookimpl
        def backup(self, path):
            Path(path).unlink(missing_ok=True)
            return super().backup(path)
        """,
    ),
    with_methods(
        "restore-keeps",
        "removes what was the store",
        """
        @hookimpl
        def restore(self, path):
            found = super().restore(path)
            for before in self._context.data_dir.glob("*.before-*"):
                before.unlink()
            return found
        """,
    ),
    with_methods(
        "restore-refuses",
        "says nothing when there is nothing to restore",
        """
        @hookimpl
        def restore(self, path):
            try:
                return super().restore(path)
            except StoreError:
                return super().migrate()
        """,
    ),
    with_methods(
        "damage-told",
        "finds nothing wrong with itself",
        """
        @hookimpl
        def state(self, depth):
            return super().state(depth).model_copy(update={"problems": ()})
        """,
    ),
    with_methods(
        "repair",
        "repairs nothing",
        """
        @hookimpl
        def repair(self, documents, raws):
            return None
        """,
    ),
    with_methods(
        "store-errors",
        "raises what the system raises",
        """
        @hookimpl
        def migrate(self):
            try:
                return super().migrate()
            except StoreError as error:
                raise OSError(str(error)) from error
        """,
    ),
]
