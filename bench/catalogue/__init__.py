"""All measured figures, by what they are about: importing a module registers its figures."""
