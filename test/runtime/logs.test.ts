import { describe, expect, it } from 'vitest'
import { createMask } from '#server/runtime/host/mask.ts'
import { createSpec, job, recordServices, run, runBody, startRuntime } from './apps.ts'

describe('console', () => {
  it.each([
    ['', ''],
    [`'number =', 987`, 'number = 987'],
    [`new Error('something')`, 'Error: something'],
    [`{ 1: 'ein' }, [99, 79]`, '{"1":"ein"} [99,79]'],
    ['null, undefined, Symbol.iterator, 10n', 'null undefined Symbol(Symbol.iterator) 10'],
    [`(() => { const x = {}; x.x = x; return x })()`, '[object Object]'],
  ])('writes (%s) as %j', async (args, expected) => {
    const { messages } = await runBody(`console.log(${args})`)

    expect(messages()).toEqual([expected])
  })

  it('has five levels', async () => {
    const { lines } = await runBody(
      `for (const level of ['debug', 'log', 'info', 'warn', 'error']) console[level](level)`,
    )

    const own = lines.filter(({ source }) => source === 'CONSOLE')
    expect(own.map(({ type }) => type)).toEqual(['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'])
  })

  it('truncates long messages', async () => {
    const { messages } = await runBody(`console.log('x'.repeat(60000))`, {
      limits: { maxLogMessageLength: 100 },
    })

    expect(messages()).toEqual([`${'x'.repeat(100)} ... (cut)`])
  })
})

describe('an app that floods the log', () => {
  it('is cut off at the line limit with one warning, and the next run may log again', async () => {
    const runtime = startRuntime({ limits: { maxLogLines: 50 } })
    const spec = await createSpec(`export const runEveryMinute = () => {
      for (let i = 0; i < 200000; i++) console.log('line', i) }`)
    const [first, second] = [recordServices(), recordServices()]

    const outcome = await run(runtime, spec, first)
    await run(runtime, spec, second)

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(first.messages()).toHaveLength(50)
    expect(first.lines.filter(({ type }) => type === 'WARN').map(({ message }) => message)).toEqual(
      ['The app logged more than 50 lines or 5242880 bytes; the rest is left out.'],
    )
    expect(second.messages()).toHaveLength(50)
  })

  it('is cut off at the byte limit', async () => {
    const { messages, outcome } = await runBody(
      `for (let i = 0; i < 1000; i++) console.log('x'.repeat(10000))`,
      { limits: { maxLogBytes: 100_000 } },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages()).toHaveLength(10)
  })
})

describe('an error of an app', () => {
  it("is the outcome, and is logged with only the app's stack frames", async () => {
    const services = recordServices()
    const spec = await createSpec(`
      function inner() { throw new TypeError('boom') }
      export const jobs = { go: () => inner() }`)

    const outcome = await run(startRuntime(), spec, services, job('go', {}))

    expect(outcome).toEqual({ ended: 'failed', by: 'app', message: 'TypeError: boom' })
    const [line] = services.lines.filter(({ source }) => source === 'PLUGIN')
    expect(line?.type).toBe('ERROR')
    expect(line?.message).toMatch(
      /^TypeError: boom\n {4}at inner \(index\.js:.*\n {4}at go \(index\.js:/,
    )
    expect(line?.message).not.toContain('hedgerow:')
    expect(line?.message).not.toContain('node:')
  })

  it.each([
    [`throw 'a text'`, 'a text'],
    ['throw null', 'null'],
    ['throw undefined', 'undefined'],
    [`throw { toString() { throw 1 } }`, 'unknown'],
    [`throw Object.create(null)`, 'unknown'],
    [`throw new Error()`, 'Error'],
  ])('may be any value: %s', async (body, message) => {
    const { outcome } = await runBody(body)

    expect(outcome).toEqual({ ended: 'failed', by: 'app', message })
  })

  it('that is not handled is logged, and affects neither the server nor later runs', async () => {
    const services = recordServices()
    const runtime = startRuntime()
    const spec = await createSpec(`
      import { pbkdf2 } from 'crypto'
      export const jobs = {
        reject() { Promise.reject(new Error('nobody cares')) },
        late() { pbkdf2('a', 'b', 1, 8, 'sha1', () => { throw new Error('too late') }) },
        async fine(_, { utils }) { await utils.sleep(100); console.log('fine') } }`)
    const firstLines = () => services.messages().map((message) => message.split('\n')[0])

    const outcomes = [await run(runtime, spec, services, job('reject', {}))]
    expect(firstLines()).toEqual(['Error: nobody cares'])
    // leftover code continues with the next run
    for (const name of ['late', 'fine']) {
      outcomes.push(await run(runtime, spec, services, job(name, {})))
    }

    expect(outcomes).toEqual(Array(3).fill({ ended: 'succeeded' }))
    expect(firstLines()).toEqual(['Error: nobody cares', 'Error: too late', 'fine'])
    const sources = services.lines
      .filter(({ type }) => type === 'ERROR')
      .map(({ source }) => source)
    expect(sources).toEqual(['PLUGIN', 'PLUGIN'])
  })
})

describe('secrets', () => {
  const secret = 'p4ss "w/ör+d'
  const text = JSON.stringify(secret)

  it('are masked in every encoding when an app logs or throws them', async () => {
    const { lines, outcome, reported } = await runBody(
      `const secret = meta.config.password
       console.log(secret, { secret }, encodeURIComponent(secret), new URL('http://x/?q=' + encodeURIComponent(secret)).href)
       console.log(Buffer.from(secret).toString('base64'), Buffer.from('user:' + secret).toString('base64'), Buffer.from('us:' + secret + ':x').toString('base64url'))
       meta.utils.progress(1, 2, 'with ' + secret)
       throw new Error('cannot log in with ' + secret)`,
      { spec: { config: { password: secret }, secrets: [secret, 'abc'] } },
    )

    const all = JSON.stringify([lines, outcome, reported])
    expect(outcome).toMatchObject({ message: 'cannot log in with ****************' })
    expect(reported[0]?.message).toBe('with ****************')
    expect(all).not.toContain('p4ss')
    expect(all).not.toContain(Buffer.from(secret).toString('base64').slice(4, 12))
  })

  it('are not masked if they are shorter than four characters', () => {
    expect(createMask(['abc'])('abcdef')).toBe('abcdef')
    expect(createMask(['abcd'])('abcdef')).toBe('****************ef')
  })

  it('are masked where a text is cut, and the rest of the text is not searched', () => {
    const mask = createMask(['a secret of some length', 'short one'])

    expect(mask('xy a secret of some length z', 5)).toBe('xy ****************')
    expect(mask('xy a secret of some length z', 3)).toBe('xy ')
    expect(mask('a secret of some length a secret of some length', 25)).toBe(
      '**************** ****************',
    )
    expect(mask('short one short one', 12)).toBe('**************** ****************')
    expect(mask('nothing here', 7)).toBe('nothing')
    expect(createMask([])('nothing here', 7)).toBe('nothing')
  })

  it('are masked whatever characters they contain', () => {
    expect(createMask(['a.*+?^$()[]{}|\\/-b', text])(`x a.*+?^$()[]{}|\\/-b y`)).toBe(
      'x **************** y',
    )
    expect(createMask(['longer secret', 'longer'])('longer secret')).toBe('****************')
  })
})
