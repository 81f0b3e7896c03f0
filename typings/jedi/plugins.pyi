"""Extensions of jedi."""

class _PluginManager:
    def register(self, *plugins: object) -> None: ...

plugin_manager: _PluginManager
