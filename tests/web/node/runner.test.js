const { test, describe, it, before, beforeEach, afterEach, mock } = require('node:test'); const assert = require('node:assert');
const order = [];
test('passes', () => assert.strictEqual(1 + 1, 2));
test('fails', () => { assert.strictEqual(1, 2); });
test('has subtests', async (t) => { await t.test('first', () => {}); await t.test('second', async () => { throw new Error('inner'); }); t.diagnostic('noted'); });
test('is skipped', { skip: true }, () => { throw new Error('not run'); }); test('skipped with a reason', { skip: 'a reason' }); test.todo('is to do');
test('skips itself', (t) => t.skip('now')); test('callback', (t, done) => setTimeout(done, 2)); test('deep', () => assert.deepStrictEqual({ a: [1] }, { a: [2] }));
describe('suite', () => {
  before(() => order.push('before')); beforeEach(() => order.push('each')); afterEach(() => order.push('after'));
  it('one', () => order.push('one')); it('two', async () => { await null; order.push('two'); });
  describe('nested', () => { it('fails inside', () => { throw new TypeError('nested'); }); });
});
test('mocks', () => { const f = mock.fn((a) => a * 2); assert.equal(f(4), 8); assert.equal(f.mock.calls.length, 1); assert.deepEqual(f.mock.calls[0].arguments, [4]); });
test('order', () => assert.deepEqual(order, ['before', 'each', 'one', 'after', 'each', 'two', 'after', 'each', 'after']));
test('never settles', () => new Promise(() => {}));
