import { url as inspectorUrl } from 'node:inspector'
import { describe, expect, it } from 'vitest'
import { createSpec, recordServices, run, runBody, startRuntime } from './apps.ts'

const MIB = 1024 * 1024
const FINE = `export const jobs = {}; export const runEveryMinute = () => console.log('fine')`

describe('an app that does not end', () => {
  const limits = { waitMs: 1000, watchdogIntervalMs: 50 }
  const looping = 'Script execution timed out after looping for 1 second'
  const waiting =
    /^Script execution timed out after promise waited for 1 second \(Test app, name: runEveryMinute, pluginConfigId: \d+\)$/

  it.each([
    ['loops', 'while (true);', looping],
    ['loops in promises', 'while (true) await null', looping],
    ['runs into a bad expression', `void /^(a+)+$/.test('a'.repeat(40) + 'b')`, looping],
    ['waits for nothing', 'await new Promise(() => {})', expect.stringMatching(waiting)],
  ])('is killed if it %s, and the next run works', async (_, body, message) => {
    const runtime = startRuntime({ limits })
    const services = recordServices()
    const spec = await createSpec(`let once = 0
      export const jobs = {}
      export async function runEveryMinute({ storage }) {
        if (await storage.get('was')) return console.log('fine')
        await storage.set('was', 1)
        ${body}
      }`)

    const outcomes = [await run(runtime, spec, services), await run(runtime, spec, services)]

    expect(outcomes).toEqual([{ ended: 'failed', by: 'app', message }, { ended: 'succeeded' }])
    expect(services.messages()).toEqual(['fine'])
  })

  it('is not killed while the thread pool works for it', async () => {
    const { outcome } = await runBody(
      `const { pbkdf2 } = require('crypto')
       for (let i = 0; i < 2; i++) await new Promise((resolve) => pbkdf2('a', 'b', 1000000, 64, 'sha512', resolve))`,
      { limits: { waitMs: 500, watchdogIntervalMs: 50 } },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
  })

  it('is not killed while the service makes it wait', async () => {
    const { outcome } = await runBody(`await posthog.capture('slow')`, {
      limits: { waitMs: 1000, watchdogIntervalMs: 50 },
      services: recordServices({ capture: () => new Promise((done) => setTimeout(done, 2500)) }),
    })

    expect(outcome).toEqual({ ended: 'succeeded' })
  })
})

describe('an app that takes all memory', () => {
  it('by objects is killed, and the server continues', async () => {
    const runtime = startRuntime({ limits: { heapMemoryBytes: 32 * MIB } })
    const spec = await createSpec(
      'export const runEveryMinute = () => { const all = []; while (true) all.push({ a: [all.length] }) }',
    )

    const outcome = await run(runtime, spec, recordServices())

    expect(outcome).toEqual({ ended: 'failed', by: 'app', message: 'The app ran out of memory.' })
    expect(await run(runtime, await createSpec(FINE), recordServices())).toEqual({
      ended: 'succeeded',
    })
  })

  it('by a buffer gets an allocation error', async () => {
    const { outcome, messages } = await runBody(
      `try { Buffer.alloc(100 * 1024 * 1024, 1) } catch (error) { console.log(error.name) }`,
      { limits: { nativeMemoryBytes: 64 * MIB } },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages()).toEqual(['RangeError'])
  })

  it('by many buffers fails, with an error if there is memory left for one', async () => {
    const { outcome } = await runBody(
      `const all = []; while (true) all.push(Buffer.alloc(4 * 1024 * 1024, 1))`,
      { limits: { nativeMemoryBytes: 64 * MIB } },
    )

    expect(outcome).toMatchObject({ ended: 'failed', by: 'app' })
  })

  it('but stays below its other limits is killed for its RSS', async () => {
    const { outcome } = await runBody(
      `const all = []; while (true) { all.push(Buffer.alloc(1024 * 1024, 1)); await meta.utils.sleep(1) }`,
      { limits: { residentMemoryBytes: 100 * MIB, watchdogIntervalMs: 20 } },
    )

    expect(outcome).toEqual({ ended: 'failed', by: 'app', message: 'The app ran out of memory.' })
  })
})

describe('an app that tries to escape its context', () => {
  it.each([
    `this.constructor.constructor('return process')()`,
    `Buffer.constructor('return process')()`,
    `Buffer.from.constructor('return process')()`,
    `URL.constructor('return process')()`,
    `require('crypto').createHash.constructor('return process')()`,
    `Object.getPrototypeOf(async () => {}).constructor('return process')()`,
    `(await eval("import('node:fs')").catch((error) => error)).constructor.constructor('return process')()`,
    `await eval("import('node:fs')")`,
    `require(['f', 's'].join(''))`,
    `new (require('crypto').Hash)('md5').constructor.constructor('return process')()`,
  ])('does not reach the process by %s', async (attack) => {
    const { messages } = await runBody(
      `let found; try { found = await ${attack} } catch (error) { found = undefined } console.log(typeof found?.pid, typeof found?.readFileSync)`,
    )

    expect(messages()).toEqual(['undefined undefined'])
  })

  it('gets no functions of the process from the frames of a stack', async () => {
    const { messages, outcome } = await runBody(`
      const [zlib, crypto] = [require('zlib'), require('crypto')]
      const own = zlib.createGzip()
      const DANGEROUS = /^(binding|_linkedBinding|dlopen|env|kill|mainModule|open|openSync|process|spawn)$/
      let count = 0
      const look = (where) => {
        Error.stackTraceLimit = 100
        Error.prepareStackTrace = (_, frames) => frames
        const frames = new Error().stack
        Error.prepareStackTrace = undefined
        for (const frame of frames) {
          count += 1
          const [code, self] = [frame.getFunction(), frame.getThis()]
          if (code !== undefined && !(code instanceof Function)) console.log(where, 'function', frame.getFunctionName())
          // a callback's own receiver, such as a stream
          for (let at = self; Object(at) === at; at = Object.getPrototypeOf(at)) {
            for (const key of Reflect.ownKeys(at)) if (DANGEROUS.test(String(key))) console.log(where, key)
          }
        }
        return 'x'
      }
      const odd = { get length() { return look('length') }, toString: () => look('toString'), valueOf: () => look('valueOf') }
      const attempts = [
        () => Buffer.from(odd), () => Buffer.concat(odd), () => Buffer.from('x').toString(odd), () => new URL(odd),
        () => new (require('url').URLSearchParams)({ *[Symbol.iterator]() { yield look('iterator') } }),
        () => zlib.createGzip({ get level() { return look('level') } }),
        () => crypto.createSign('sha256').sign({ get key() { return look('key') } }),
        () => posthog.capture('x', { get y() { return look('capture') } }),
      ]
      for (const attempt of attempts) { try { attempt() } catch {} }
      await new Promise((resolve) => crypto.randomBytes(8, () => resolve(look('randomBytes'))))
      await new Promise((resolve) => {
        own.on('data', function () { look('data') }).on('end', function () { resolve(look('end')) })
        own.end('x', function () { look('write') })
      })
      console.log(count > 50)`)

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages()).toEqual(['true'])
  })

  it('cannot change how errors of the process get their stack', async () => {
    const { messages } = await runBody(`
      const fail = () => { try { Buffer.alloc(-1) } catch (error) { return error } }
      for (let made = fail().constructor; typeof made === 'function'; made = Object.getPrototypeOf(made)) {
        try { made.prepareStackTrace = (_, frames) => frames } catch {}
      }
      console.log(typeof fail().stack)`)

    expect(messages()).toEqual(['string'])
  })

  it('finds no files, sockets or processes even after an escape', async () => {
    const { messages } = await runBody(`
      const reach = (thing, depth = 0, seen = new Set()) => {
        if (depth > 4 || (typeof thing !== 'object' && typeof thing !== 'function') || thing === null || seen.has(thing)) return []
        seen.add(thing)
        const names = [...Reflect.ownKeys(thing)].filter((name) => typeof name === 'string')
        const own = names.filter((name) => /^(mainModule|binding|_linkedBinding|readFileSync|spawn|createConnection|_debugProcess|kill|getBuiltinModule|dlopen|reallyExit)$/.test(name))
        return [...own, ...names.flatMap((name) => { try { return reach(thing[name], depth + 1, seen) } catch { return [] } }), ...reach(Object.getPrototypeOf(thing), depth + 1, seen)]
      }
      console.log(reach({ Buffer, URL, fetch, posthog, meta, crypto: require('crypto'), zlib: require('zlib'), url: require('url'), globalThis }))`)

    expect(messages()).toEqual(['[]'])
  })
})

describe('an app that tampers with its tools', () => {
  it.each([
    [`JSON.stringify = () => 'nonsense'; await posthog.capture('a')`],
    [`JSON.stringify = () => '{}},{'; await posthog.capture('a')`],
    [`Date.prototype.toISOString = () => 'yesterday'; await posthog.capture('a')`],
    [`Array.prototype.join = () => '1,2'; await posthog.capture('a')`],
    [`JSON.stringify = () => '[]'; await posthog.capture('a')`],
  ])('is killed for breaking the protocol: %s', async (body) => {
    const { outcome, events } = await runBody(body)

    expect(outcome).toMatchObject({
      ended: 'failed',
      by: 'app',
      message: expect.stringMatching(/^The app broke the rules of its process: it sent /),
    })
    expect(events).toEqual([])
  })
})

describe('the server', () => {
  it('does not open its debugger on a signal', async () => {
    startRuntime()

    process.kill(process.pid, 'SIGUSR1')
    await new Promise((resolve) => setTimeout(resolve, 200))

    expect(inspectorUrl()).toBeUndefined()
  })
})
