import { describe, expect, it } from 'vitest'
import { runBody, startServer } from './apps.ts'

/** The process's own built-ins such as `Object`, which an app finds through the objects it receives. */
const OF_THE_PROCESS = `
  const ofProcess = (() => {
    const { getPrototypeOf } = Object
    const object = getPrototypeOf(getPrototypeOf(getPrototypeOf(Buffer.prototype)))
    const array = require('crypto').getHashes()
    let error; try { Buffer.alloc(-1) } catch (thrown) { error = thrown }
    const promise = require('crypto').subtle.digest('SHA-1', Buffer.from('a'))
    const errors = []
    for (let at = getPrototypeOf(error); at !== object; at = getPrototypeOf(at)) errors.push(at)
    return { object, array: getPrototypeOf(array), function: getPrototypeOf(Buffer.from), promise: getPrototypeOf(promise),
      iterator: getPrototypeOf(array.values()), errors: errors.at(-1), Object: object.constructor, Error: errors.at(-1).constructor }
  })()`

describe('an app that changes prototypes', () => {
  it.each([
    `Array.prototype.includes = () => true`,
    `String.prototype.replace = () => 'fs'; Array.prototype.includes = () => true`,
    `Map.prototype.get = () => undefined; Set.prototype.has = Array.prototype.includes = () => true`,
    `Object.prototype.fs = true; Array.prototype.includes = Array.prototype.some = () => true`,
    `${OF_THE_PROCESS}
     for (const [owner, name] of [['array', 'includes'], ['array', 'filter'], ['object', 'hasOwnProperty'], ['function', 'call']])
       try { ofProcess[owner][name] = () => true } catch {}
     Array.prototype.includes = () => true`,
  ])('gets no other module: %s', async (change) => {
    const { outcome, messages } = await runBody(
      `${change}
       const seen = []
       for (const name of ['fs', 'node:fs', 'child_process', 'os', 'process', 'module']) {
         try { seen.push(typeof eval('require')(name)) } catch (error) { seen.push(error.message.slice(0, 13)) }
       }
       console.log(seen[0], seen[1], seen[2], seen[3], seen[4], seen[5])`,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    const refused = 'Cannot import'
    expect(messages()).toEqual([Array(6).fill(refused).join(' ')])
  })

  it("cannot change those of the process's own realm", async () => {
    const { messages } = await runBody(
      `${OF_THE_PROCESS}
       for (const [name, thing] of Object.entries(ofProcess)) {
         let added = true
         try { Object.defineProperty(thing, 'added', { value: 1 }) } catch { added = false }
         console.log(name, added, thing === globalThis[name] || Object.isFrozen(thing))
       }`,
    )

    const names = [
      'object',
      'array',
      'function',
      'promise',
      'iterator',
      'errors',
      'Object',
      'Error',
    ]
    expect(messages()).toEqual(names.map((name) => `${name} false true`))
  })

  it('does not get the process from the emitter that it inherits from', async () => {
    const { outcome, messages } = await runBody(
      `let emitter = require('crypto').createHash('md5')
       while (!Object.hasOwn(emitter, 'emit')) emitter = Object.getPrototypeOf(emitter)
       const found = []
       for (const name of Object.getOwnPropertyNames(emitter)) {
         if (typeof emitter[name] === 'function') emitter[name] = function () { found.push(this) }
       }
       Promise.reject(new Error('unhandled'))
       require('crypto').pbkdf2('a', 'b', 1, 8, 'sha1', () => { throw new Error('uncaught') })
       await meta.utils.sleep(100)
       console.log(found.length)`,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages().map((message) => message.split('\n')[0])).toEqual([
      'Error: unhandled',
      'Error: uncaught',
      '0',
    ])
  })

  it('does not make the process run its own versions of Buffer', async () => {
    const { outcome, events, messages } = await runBody(
      `const { from } = Buffer
       for (const owner of [Buffer, Buffer.prototype, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)]) {
         for (const name of ['from', 'concat', 'allocUnsafe', 'toString', 'subarray', 'set', 'slice', 'readUInt32BE', 'writeUInt32BE']) {
           if (Object.hasOwn(owner, name)) owner[name] = () => { throw new Error('replaced ' + name) }
         }
       }
       await posthog.capture('a', { text: 'ü' })
       console.log(await meta.storage.get('none', 'works'))`,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(JSON.parse(events[0]?.properties ?? '{}')).toMatchObject({ text: 'ü' })
    expect(messages()).toEqual(['works'])
  })
})

/** Changes a realm as core-js and other polyfills do. */
const POLYFILLS = `
  const define = (owner, name, value) => Object.defineProperty(owner, name, { value, writable: true, configurable: true })
  String.prototype.replaceAll ||= function () {}
  String.prototype.shout = function () { return this.toUpperCase() + '!' }
  Array.prototype.last = function () { return this[this.length - 1] }
  for (const [owner, names] of [
    [Array.prototype, ['map', 'filter', 'includes', 'flatMap', 'find', 'join', 'push', 'at', 'toSorted']],
    [String.prototype, ['replace', 'replaceAll', 'startsWith', 'slice', 'split', 'trim']],
    [Object, ['assign', 'entries', 'fromEntries', 'keys', 'hasOwn']],
    [Promise, ['all', 'allSettled', 'resolve', 'withResolvers', 'any']],
    [Promise.prototype, ['then', 'catch', 'finally']],
    [Map.prototype, ['get', 'set', 'has', 'delete']], [Set.prototype, ['add', 'has', 'delete']],
    [Function.prototype, ['bind']], [RegExp.prototype, ['test', 'exec']], [JSON, ['parse', 'stringify']],
    [Uint8Array.prototype, ['toBase64', 'toHex']],
    [Object.getPrototypeOf(Uint8Array.prototype), ['toString', 'map', 'at', 'fill', 'findLast']],
  ]) {
    for (const name of names) {
      const native = owner[name]
      if (native) define(owner, name, function (...args) { return native.apply(this, args) })
    }
  }
  define(Uint8Array.prototype, 'sum', function () { let sum = 0; for (const byte of this) sum += byte; return sum })
  define(Error.prototype, 'toJSON', function () { return { message: this.message } })
  define(globalThis, 'structuredClone', (value) => JSON.parse(JSON.stringify(value)))
  globalThis.Promise = class Promise extends globalThis.Promise {}`

const USES_EVERYTHING = `
  const crypto = require('crypto'), zlib = require('zlib'), url = require('url')
  const done = (work) => new Promise((resolve, reject) => work((error, value) => error ? reject(error) : resolve(value)))
  const text = 'hello '.repeat(1000)
  const key = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signature = crypto.sign('sha256', Buffer.from(text), key.privateKey)
  const cipher = crypto.createCipheriv('aes-256-gcm', crypto.randomBytes(32), Buffer.alloc(12))
  let hashOfStream = crypto.createHash('sha1'); hashOfStream.write('ab'); hashOfStream.end()
  const unzipped = []
  const stream = zlib.createGunzip().on('data', (part) => unzipped.push(part))
  stream.end(zlib.gzipSync(text))
  await done((callback) => stream.on('end', () => callback()).on('error', callback))
  let failure; try { zlib.gunzipSync(Buffer.from('no')) } catch (error) { failure = error }
  failure.name = 'Renamed'; failure.toString = () => 'mine'
  await meta.storage.set('a', { b: [1, 2] })
  await meta.cache.lpush('l', ['x', 'y'])
  const response = await fetch('ORIGIN', { method: 'POST', body: JSON.stringify({ text }) })
  await posthog.capture('all', {
    hash: crypto.createHash('sha256').update(text).digest('hex').length,
    stream: hashOfStream.read().length,
    hmac: crypto.createHmac('sha1', 'k').update('a').digest('base64').length,
    signed: crypto.verify('sha256', Buffer.from(text), key.publicKey, signature),
    encrypted: Buffer.concat([cipher.update('secret'), cipher.final()]).length,
    random: (await done((callback) => crypto.randomBytes(8, callback))).length,
    derived: (await done((callback) => crypto.pbkdf2('a', 'b', 10, 16, 'sha512', callback))).length,
    scrypt: (await done((callback) => crypto.scrypt('a', 'b', 16, callback))).length,
    subtle: (await crypto.subtle.digest('SHA-256', Buffer.from('a'))).byteLength,
    uuid: crypto.randomUUID().length,
    unzipped: Buffer.concat(unzipped).toString() === text,
    brotli: zlib.brotliDecompressSync(zlib.brotliCompressSync(text)).toString() === text,
    gzip: (await done((callback) => zlib.gzip(text, callback))).length < 200,
    failure: [failure.code, failure.name, String(failure)].join(),
    url: new url.URL('/a?b=c', 'https://example.com').searchParams.get('b'),
    parsed: url.parse('https://example.com/x?y=1').pathname,
    file: url.fileURLToPath('file:///etc/x'),
    stored: (await meta.storage.get('a')).b.length,
    cached: (await meta.cache.lrange('l', 0, -1)).join(),
    status: response.status,
    echoed: (await response.json()).text.length,
    bytes: Buffer.from('héllo').toString('base64'),
  })`

const EXPECTED = {
  ...{ hash: 64, stream: 20, hmac: 28, signed: true, encrypted: 6, random: 8, derived: 16 },
  ...{ scrypt: 16, subtle: 32, uuid: 36, unzipped: true, brotli: true, gzip: true },
  ...{ failure: 'Z_DATA_ERROR,Renamed,mine', url: 'c', parsed: '/x', file: '/etc/x' },
  ...{ stored: 2, cached: 'y,x', status: 200, echoed: 6000, bytes: 'aMOpbGxv' },
}

describe('an app that uses everything', () => {
  it.each([
    ['works', ''],
    [
      'works with polyfills',
      `${POLYFILLS}; if ('a'.shout() + [1, 2].last() + Buffer.from([1, 2]).sum() !== 'A!23') throw new Error('no polyfills')`,
    ],
  ])('%s', async (_, before) => {
    const { origin } = await startServer((request, response) =>
      response.end(request.method && JSON.stringify({ text: 'hello '.repeat(1000) })),
    )

    const { outcome, events } = await runBody(
      `${before}\n${USES_EVERYTHING.replace('ORIGIN', origin)}`,
      {
        allowedHosts: ['127.0.0.1'],
      },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(JSON.parse(events[0]?.properties ?? '{}')).toMatchObject(EXPECTED)
  })
})
