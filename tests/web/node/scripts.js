#!/usr/bin/env node
const common = require('./parts/common.cjs'); const { x } = require('./parts'); const data = require('./parts/data');
console.log(common, x, data.name, require.main === module, module.children.length, require.resolve('./parts/common.cjs') === __dirname + '/parts/common.cjs');
const attempt = (name) => { try { return require(name); } catch (e) { return [e.code, e.message.replaceAll(__dirname, '<here>')]; } };
console.log(attempt('./none'), attempt('nothing'), attempt('node:nothing'), attempt('./parts/broken.js')[1] === undefined);
console.log(require('fs') === require('node:fs'), module.paths[0] === __dirname + '/node_modules', Object.keys(require.cache).length, require('./parts/common.cjs') === common);
const path = require('path'); console.log(path.join('a', '..', 'b'), path.resolve('/x', 'y'), path.parse('/a/b.tar.gz'), path.relative('/a/b', '/a/c'), path.extname('x.js'), path.isAbsolute('x'));
const url = require('url'); console.log(url.fileURLToPath('file:///a%20b'), url.pathToFileURL('/a b#c').href, new URL('http://u:p@h:1/p?q=1#f').host, url.parse('http://h/p?q=1').query);
console.log(require('querystring').parse('a=1&b=2&a=3'), require('querystring').stringify({ a: [1, 2], b: 'x y' }));
const { EventEmitter, once } = require('events'); const emitter = new EventEmitter(); emitter.once('e', (v) => console.log('once', v)); console.log(emitter.emit('e', 1), emitter.emit('e', 2), emitter.listenerCount('e'));
const crypto = require('crypto'); console.log(crypto.createHash('sha256').update('x').digest('hex'), crypto.createHash('md5').update('x').digest('base64'), crypto.createHmac('sha1', 'k').update('d').digest('hex'), crypto.randomUUID().length, crypto.randomBytes(4).length);
const zlib = require('zlib'); console.log(zlib.gunzipSync(zlib.gzipSync('zipped')).toString(), zlib.inflateSync(zlib.deflateSync('z')).toString());
const { promisify, parseArgs, inherits } = require('util'); console.log(promisify((done) => done(null, 1)) instanceof Function);
console.log(parseArgs({ args: ['-f', '--bar', 'b', 'pos'], options: { f: { type: 'boolean', short: 'f' }, bar: { type: 'string' } }, allowPositionals: true }));
const child = require('child_process'); console.log(child.execSync('echo one; echo two').toString(), child.execFileSync('echo', ['a b'], { encoding: 'utf8' }), child.execSync('cat', { input: 'typed', encoding: 'utf8' }));
try { child.execSync('echo out; echo bad >&2; exit 3', { stdio: 'pipe' }); } catch (e) { console.log(e.status, e.message, String(e.stdout), String(e.stderr)); }
const ran = child.spawnSync('sh', ['-c', 'echo $X; pwd; exit 2'], { env: { X: 'set', PATH: process.env.PATH }, cwd: '/tmp', encoding: 'utf8' }); console.log(ran.status, ran.signal, ran.stdout, ran.stderr);
console.log(child.spawnSync('no-such-program').error.code, child.spawnSync('sh', ['-c', 'kill -9 $$']).status);
const proc = child.spawn('sh', ['-c', 'cat; exit 4']); let seen = ''; proc.stdout.on('data', (d) => (seen += d)); proc.on('close', (code) => console.log('closed', code, seen)); proc.stdin.end('through');
child.exec('echo hi; exit 1', (e, out) => console.log('exec', e.code, out));
console.log(Buffer.concat([Buffer.from('a'), Buffer.from('YmM=', 'base64')]).toString(), Buffer.byteLength('é'), Buffer.from('ff', 'hex')[0], structuredClone({ a: 1 }));
process.on('exit', (code) => console.log('exiting', code)); process.exitCode = 5;
const { Readable, Transform } = require('stream'); Readable.from(['a', 'b']).pipe(new Transform({ transform(c, e, d) { d(null, String(c).toUpperCase()); } })).on('data', (d) => console.log('piped', String(d)));
