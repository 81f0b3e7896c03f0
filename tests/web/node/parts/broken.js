module.exports = [1, undefined];
