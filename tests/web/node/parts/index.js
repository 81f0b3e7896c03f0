exports.x = 'index';
