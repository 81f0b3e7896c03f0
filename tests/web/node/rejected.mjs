console.log('before');
await null;
throw new RangeError('late');
