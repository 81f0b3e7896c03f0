function deeper() {
  throw Object.assign(new TypeError('unexpected'), { code: 'E_CODE', detail: { a: 1 } });
}
deeper();
