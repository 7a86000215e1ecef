"""Keeps a core busy all the time."""

import threading

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def run(self):
        threading.Thread(target=self.burn, daemon=True).start()
        super().run()

    def burn(self):
        """Waste time."""
        while True:
            sum(range(1000))


if __name__ == "__main__":
    main(Faulty)
