"""Goes on in a child while its parent waits."""

import os

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def run(self):
        child = os.fork()
        if child == 0:
            super().run()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Faulty)
