// Takes the place of what comes.
