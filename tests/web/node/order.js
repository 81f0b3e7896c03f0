setTimeout(() => console.log('timeout 0'), 0); setTimeout(() => console.log('timeout 20'), 20); 
process.nextTick(() => console.log('tick 1')); Promise.resolve().then(() => { console.log('micro 1'); process.nextTick(() => console.log('tick from micro')); }).then(() => console.log('micro 2')); process.nextTick(() => console.log('tick 2'));
queueMicrotask(() => console.log('micro 3'));
const interval = setInterval(() => { console.log('interval'); if (++interval.count === 3) clearInterval(interval); }, 30); interval.count = 0;
setTimeout(() => console.log('never'), 100000).unref(); const cleared = setTimeout(() => console.log('never'), 1); clearTimeout(cleared);
require('timers/promises').setTimeout(25, 'value').then((v) => console.log('slept', v));
process.on('beforeExit', () => console.log('before exit')); process.on('exit', (c) => console.log('exit', c)); console.log('main');
