const assert = require('assert');
const shown = (f) => { try { f(); return 'passed'; } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
console.log(shown(() => assert(true)), shown(() => assert.equal(1, '1')), shown(() => assert.strictEqual(1, 2)));
console.log(shown(() => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] })), shown(() => assert.deepEqual([1], ['1'])), shown(() => assert.notStrictEqual(1, 1)));
console.log(shown(() => assert.throws(() => { throw new TypeError('bad'); }, TypeError)), shown(() => assert.throws(() => {})));
console.log(shown(() => assert.match('abc', /b/)), shown(() => assert.match('abc', /d/)), shown(() => assert.ok(0, 'not ok')), shown(() => assert.fail('failed')), shown(() => assert.ifError(null)));
console.log(shown(() => assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]]))), shown(() => assert.deepStrictEqual(new Set([1]), new Set([1]))), shown(() => assert.notDeepStrictEqual([1], [2])));
assert.rejects(Promise.reject(new Error('no')), /no/).then(() => console.log('rejected')); assert.rejects(Promise.resolve(1)).catch((e) => console.log(e.message));
console.log(assert.strict.equal === assert.strictEqual, new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' }).message);
