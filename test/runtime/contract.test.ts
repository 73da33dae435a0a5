import { describe, expect, it } from 'vitest'
import { createSpec, job, recordServices, run, runBody, startRuntime } from './apps.ts'

const show = (expression: string) => `console.log(JSON.stringify(${expression}))`

describe('the environment of an app', () => {
  it('has exactly the documented meta', async () => {
    const { lines } = await runBody(show('Object.keys(meta).sort()'))

    expect(lines.at(-1)?.message).toBe(
      '["attachments","cache","config","geoip","global","jobs","storage","utils"]',
    )
  })

  it('has no globals of Node or the web that are not documented', async () => {
    const names = [
      ...['process', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
      ...['URLSearchParams', 'TextEncoder', 'AbortController', 'atob', 'structuredClone'],
      ...['WebAssembly', 'SharedArrayBuffer', 'Atomics'],
    ]

    const { messages } = await runBody(
      names.map((name) => `console.log('${name}', typeof ${name})`).join('\n'),
    )

    expect(messages()).toEqual(names.map((name) => `${name} undefined`))
  })

  it('has the documented globals', async () => {
    const { messages } = await runBody(`
      console.log([posthog.capture, posthog.api.get, fetch, URL, Buffer, RetryError].every((one) => typeof one === 'function'))
      console.log(global === globalThis, Buffer.from('a') instanceof Uint8Array)
      console.log(String(new RetryError('again')), new RetryError() instanceof Error)`)

    expect(messages()).toEqual(['true', 'true true', 'RetryError: again true'])
  })

  it('has the documented packages, as default and as namespace imports', async () => {
    const services = recordServices()
    const spec = await createSpec(`
      import * as all from 'node-fetch'
      import fetchIt, { Headers } from 'node-fetch'
      import { createHash } from 'crypto'
      import { URLSearchParams } from 'url'
      import zlib from 'node:zlib'
      import { RetryError as Again } from '@posthog/plugin-scaffold'
      export function runEveryMinute() {
        console.log(typeof all, all === fetchIt, fetchIt === fetch, new Headers({ A: 1 }).get('a'))
        console.log(createHash('md5').update('a').digest('hex').slice(0, 6), String(new URLSearchParams({ a: 1 })))
        console.log(zlib.gunzipSync(zlib.gzipSync('zip')).toString(), Again === RetryError)
      }`)

    await run(startRuntime(), spec, services)

    expect(services.messages()).toEqual(['function true true 1', '0cc175 a=1', 'zip true'])
  })

  it('has a config with real values, and a copy that it may change', async () => {
    const config = { key: 'value', deep: { list: [1] } }

    const { messages } = await runBody(
      `meta.config.added = 1; ${show('[meta.config, meta.attachments]')}`,
      { spec: { config } },
    )

    expect(JSON.parse(messages()[0] ?? '')).toEqual([{ ...config, added: 1 }, {}])
    expect(config).toEqual({ key: 'value', deep: { list: [1] } })
  })

  it('has no GeoIP database', async () => {
    const { messages } = await runBody(
      `await meta.geoip.locate('1.1.1.1').catch((error) => console.log(error.message))`,
    )

    expect(messages()).toEqual(['geoip database is not ready'])
  })
})

describe('storage', () => {
  it('stores JSON, distinguishes null from missing, and accepts numbers as keys', async () => {
    const { messages, stored } = await runBody(`
      const { storage } = meta
      await storage.set('a', { deep: [1, null] })
      await storage.set(5, null)
      await storage.set('gone', 1)
      await storage.set('gone', undefined)
      ${show("[await storage.get('a'), await storage.get(5, 1), await storage.get('gone', 'none')]")}
      await storage.del('a')`)

    expect(messages()).toEqual(['[{"deep":[1,null]},null,"none"]'])
    expect([...stored]).toEqual([['5', 'null']])
  })

  it('refuses keys and values that are too long, and the app continues', async () => {
    const { messages, stored } = await runBody(
      `const logError = (error) => console.log(error.message)
       await meta.storage.set('k'.repeat(201), 1).catch(logError)
       await meta.storage.set('big', 'x'.repeat(2000)).catch(logError)
       await meta.storage.set('\\0', 'a\\0\\ud800')`,
      { limits: { maxStoredValueLength: 1000 } },
    )

    expect(messages()).toEqual([
      'A key has at most 200 characters.',
      "The value of 'big' is larger than 1000 bytes.",
    ])
    expect([...stored]).toEqual([['\ufffd', '"a\\u0000\\ud800"']])
  })

  it('has cursors that are initialized once and incremented', async () => {
    const { messages } = await runBody(`
      const { cursor } = meta.utils
      await cursor.init('c', 10)
      await cursor.init('c', 99)
      ${show("[await cursor.increment('c'), await cursor.increment('c', 5), await cursor.increment('new', 3)]")}
      for (const wrong of [cursor.init('c', 'x'), cursor.increment('c', 'x')]) await wrong.catch((error) => console.log(error.message))`)

    expect(messages()).toEqual([
      '[11,16,3]',
      "The cursor's initial value must be a number!",
      'The incrementBy value must be a number!',
    ])
  })
})

describe('the cache', () => {
  it('stores values, counters and lists', async () => {
    const { messages } = await runBody(`
      const { cache } = meta
      await cache.set('n', 0)
      await cache.set('raw', 'text', 60, { jsonSerialize: false })
      ${show("[await cache.incr('n'), await cache.get('n'), await cache.get('absent', 7), await cache.get('raw'), await cache.get('raw', null, { jsonSerialize: false })]")}
      ${show("[await cache.lpush('l', ['a', 'b']), await cache.lpush('l', 'c'), await cache.lrange('l', 0, 1), await cache.llen('l'), await cache.lrem('l', 1, 'b'), await cache.lpop('l', 1), await cache.expire('l', 5)]")}`)

    expect(messages()).toEqual(['[1,1,7,null,"text"]', '[2,3,["c","b"],3,1,["c"],true]'])
  })

  it('fails a run that calls it wrongly, and says what is wrong', async () => {
    const wrong = [
      ["lpush('l', 5)", 'cache.lpush expects a string value or an array of strings'],
      [
        "lpush('l', Array(1001).fill('x'))",
        'Too many elements in array for cache.lpush. Maximum: 1000',
      ],
      ["lrange('l', 'a', 1)", 'cache.lrange expects a number for the start and end indexes'],
      ["lrem('l', 'a', 'b')", 'cache.lrem expects a number for the "count" argument'],
      ["lpop('l')", 'cache.lpop expects a number for the "count" argument'],
    ] as const
    const jobs = wrong.map(([call]) => `${JSON.stringify(call)}: ({ cache }) => cache.${call}`)
    const spec = await createSpec(`export const jobs = { ${jobs.join(', ')} }`)
    const runtime = startRuntime()

    for (const [call, message] of wrong) {
      const outcome = await run(runtime, spec, recordServices(), job(call))
      expect(outcome, call).toEqual({ ended: 'failed', by: 'app', message })
    }
  })
})

describe('jobs', () => {
  it('can be queued for now, after a delay and at a time', async () => {
    const { queued } = await runBody(`
      await meta.jobs.one({ a: 1 }).runNow()
      await meta.jobs['two words']().runIn(2, 'days')
      meta.jobs.three([]).runAt(new Date('2031-01-02T03:04:05Z'))`)

    const [one, two, three] = queued
    expect(queued).toHaveLength(3)
    expect(one).toMatchObject({ name: 'one', payload: { a: 1 } })
    expect(two).toMatchObject({ name: 'two words', payload: undefined })
    expect(Date.parse(two?.runAt ?? '') - Date.parse(one?.runAt ?? '')).toBeGreaterThan(
      1.99 * 86_400_000,
    )
    expect(three).toEqual({ name: 'three', payload: [], runAt: '2031-01-02T03:04:05.000Z' })
  })

  it('refuse unknown units', async () => {
    const { outcome } = await runBody(`await meta.jobs.x().runIn(1, 'fortnight')`)

    expect(outcome).toMatchObject({ message: 'Unknown time unit: fortnights' })
  })

  it.each([
    ['a payload, then meta', { a: 1 }, '[{"a":1},true]'],
    ['meta alone, without a payload', undefined, '[true,false]'],
  ])('receive %s', async (_, payload, expected) => {
    const services = recordServices()
    const spec = await createSpec(`export const jobs = { 'a job': (first, second) =>
      console.log(JSON.stringify([first?.storage ? true : first, second?.storage ? true : false])) }`)

    await run(startRuntime(), spec, services, job('a job', payload))

    expect(services.messages()).toEqual([expected])
  })

  it.each([
    job('missing'),
    job('constructor'),
    { ...job('runEveryDay'), kind: 'schedule' as const },
  ])('fail with the name of an unknown task: %o', async (task) => {
    const spec = await createSpec('export const jobs = {}')

    const outcome = await run(startRuntime(), spec, recordServices(), task)

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'app',
      message: `Task "${task.name}" not found for plugin "Test app" with config id ${spec.configId}`,
    })
  })
})

describe('progress', () => {
  it('is reported, always including the last update', async () => {
    const { reported } = await runBody(
      `for (let i = 1; i <= 200000; i++) meta.utils.progress(i, 200000, 'row ' + i)`,
    )

    expect(reported.length).toBeLessThan(100)
    expect(reported.at(-1)).toEqual({ done: 200_000, total: 200_000, message: 'row 200000' })
  })
})

describe('attachments', () => {
  const attach = (size: number) => ({
    content_type: 'text/csv',
    file_name: 'a.csv',
    size,
    async *read() {
      for (let at = 0; at < size; at += 100_000)
        yield Buffer.alloc(Math.min(100_000, size - at), 97)
    },
  })

  it('contain small files, and stream files of any size', async () => {
    const { messages } = await runBody(
      `const { small, large } = meta.attachments
       console.log(small.content_type, small.file_name, small.size, small.contents.toString().slice(0, 3), small.contents.length)
       let read = 0
       for await (const part of large.stream()) read += part.length
       console.log(large.contents, large.size, read)
       for await (const part of large.stream()) { console.log(part instanceof Uint8Array); break }`,
      {
        limits: { maxAttachmentBytes: 1_000_000 },
        spec: { attachments: { large: attach(5_000_001), small: attach(300_000) } },
      },
    )

    expect(messages()).toEqual([
      'text/csv a.csv 300000 aaa 300000',
      'undefined 5000001 5000001',
      'true',
    ])
  })
})
