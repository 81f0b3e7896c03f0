"""Eyes: pictures of tabs and of the screen that the user shares, and questions about pictures to the language model."""
