exports.add = (a, b) => a + b;
exports.loaded = module.id === __filename && require.main !== module;
