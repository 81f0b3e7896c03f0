"""Chats: a person and a language model, in conversations that branch and are kept."""
