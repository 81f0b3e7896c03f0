"""Chats: conversations between a user and a language model, stored with all their branches."""
