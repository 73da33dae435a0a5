import { describe, expect, it, onTestFinished } from 'vitest'
import { getChildCode } from '#server/runtime/child/child-code.ts'
import { findSandbox, NO_SANDBOX, type Sandbox } from '#server/runtime/process/sandbox.ts'
import { recordServices, startServer } from './apps.ts'
import { startEscaped } from './escaped.ts'

/** The real sandbox, and Node's permission model alone. */
const SANDBOX = findSandbox()
const ONLY_NODE: Sandbox = {
  open: () => NO_SANDBOX,
  endsWithServer: false,
  missing: 'in this test',
}

describe('a process with an escaped app', () => {
  it.each([
    ['reads a file', `require('fs').readFileSync('/etc/passwd')`],
    ['reads its parent', `require('fs').readFileSync('/proc/' + process.ppid + '/environ')`],
    ['writes a file', `require('fs').writeFileSync('/tmp/escaped', 'x')`],
    ['spawns', `require('child_process').execSync('id')`],
    ['starts a thread', `new (require('worker_threads').Worker)('1', { eval: true })`],
    [
      'opens a database',
      `new (require('node:sqlite').DatabaseSync)(':memory:').exec('attach "/tmp/x.db" as x')`,
    ],
    ['loads an addon', `process.dlopen({ exports: {} }, '/lib/x.node')`],
    [
      'opens a socket',
      `new Promise((resolve, reject) => require('net').connect(PORT, '127.0.0.1', () => resolve('open')).on('error', reject))`,
    ],
    [
      'opens a pipe',
      `new Promise((resolve, reject) => require('net').connect('/var/run/docker.sock', () => resolve('open')).on('error', reject))`,
    ],
    [
      'sends a datagram',
      `new Promise((resolve, reject) => require('dgram').createSocket('udp4').on('error', reject).send('x', PORT, '127.0.0.1', (error) => error ? reject(error) : resolve('sent')))`,
    ],
    ['resolves a name', `require('dns').promises.lookup('example.com')`],
    ['fetches', `fetch('http://127.0.0.1:PORT/')`],
    [
      'listens',
      `new Promise((resolve) => require('net').createServer().listen(0, () => resolve('listening')))`,
    ],
    ['opens its debugger', `require('inspector').open(0)`],
  ])('refuses an app that %s', async (_, attack) => {
    const { port, requests } = await startServer((_request, response) => response.end())

    const { services } = await startEscaped(
      `await attempt(() => ${attack.replace('PORT', String(port))}); process.exit()`,
    )

    expect(services.messages().length).toBeGreaterThan(0)
    expect(services.messages().filter((message) => !message.startsWith('refused'))).toEqual([])
    expect(requests).toEqual([])
  })

  it('has no environment variables of the server', async () => {
    process.env.HEDGEROW_TEST_SECRET = 'topsecret'
    onTestFinished(() => void delete process.env.HEDGEROW_TEST_SECRET)

    const { services } = await startEscaped(
      `log(Object.keys(process.env).join()); log(process.cwd()); process.exit()`,
    )

    expect(services.messages()).toEqual(['TZ', '/'])
  })

  it.runIf(SANDBOX.endsWithServer)(
    "is restricted by the kernel even without Node's permission model",
    async () => {
      const permissive: Sandbox = {
        ...SANDBOX,
        open() {
          const opened = SANDBOX.open()
          const remover = [process.execPath, '-e', REMOVE_PERMISSION_FLAG]
          return { ...opened, wrapper: [...opened.wrapper, ...remover] }
        },
      }
      const { services } = await startEscaped(
        `attempt(() => require('fs').readFileSync('/etc/passwd'))
       await attempt(() => { require('fs').closeSync(2); return require('fs').openSync('/etc/passwd') })
       process.exit()`,
        permissive,
      )

      expect(services.messages()).toEqual(['refused EMFILE', 'refused EMFILE'])
    },
  )

  it('is restricted by Node even without the kernel', async () => {
    const { services } = await startEscaped(
      `await attempt(() => require('fs').readFileSync('/etc/passwd')); process.exit()`,
      ONLY_NODE,
    )

    expect(services.messages()).toEqual(['refused ERR_ACCESS_DENIED'])
  })
})

/** Starts the real command without Node's permission model. */
const REMOVE_PERMISSION_FLAG = `
  const args = process.argv.slice(2).filter((arg) => arg !== '--permission')
  process.execve(process.argv[1], [process.argv[1], ...args], {})`

describe('messages of an escaped app', () => {
  it.each([
    ['a length of nothing', 'raw([0, 0, 0, 0, 0])'],
    ['a frame without end', 'raw([255, 255, 255, 255, 0])'],
    ['a kind that is not known', `send(9, 'x')`],
    ['no JSON', `send(0, '{')`],
    ['JSON of another kind', `send(0, '[]')`],
    ['null', `send(0, 'null')`],
    ['a message that is not known', `send(0, '{"t":"constructor"}')`],
    ['a call without arguments', `send(0, '{"t":"call","id":1,"name":"storage.get"}')`],
    ['a call with an invalid ID', `send(0, '{"t":"call","id":-1,"name":"x","args":[]}')`],
    ['an answer to nothing', `send(0, '{"t":"result","id":77}')`],
    ['a log line of an unknown kind', `send(0, '{"t":"log","type":"FATAL","message":"x"}')`],
    [
      'progress without numbers',
      `send(0, '{"t":"progress","done":"1","total":null,"message":""}')`,
    ],
    [
      'more calls than may wait',
      `for (let id = 1; id <= 1001; id++) send(0, JSON.stringify({ t: 'call', id, name: 'sleep', args: [9999] }))`,
    ],
    [
      'more bytes of calls than may wait',
      `const pad = 'x'.repeat(3e6)
       for (let id = 1; id <= 4; id++) send(0, JSON.stringify({ t: 'call', id, name: 'sleep', args: [9999, pad] }))`,
    ],
    ['a chunk without a stream', `send(1, 'abc')`],
    ['a batch without an ID', `send(2, 'abc')`],
    [
      'a message of many values',
      `send(0, '{"t":"log","type":"LOG","message":"x","more":[' + '1,'.repeat(30000) + '1]}')`,
    ],
    [
      'a message that is nested deep',
      `send(0, '{"t":"log","type":"LOG","message":"x","more":' + '['.repeat(200) + ']'.repeat(200) + '}')`,
    ],
    ['an invalid ping', `send(3, 'abc')`],
    ['events that are none', `capture('[{"event":1}]')`],
    [
      'an event with an invalid time',
      `capture(JSON.stringify([{ event: 'a', distinct_id: 'b', timestamp: 'now', properties: {} }]))`,
    ],
    [
      'an event with an invalid UUID',
      `capture(JSON.stringify([{ event: 'a', distinct_id: 'b', timestamp: '2030-01-01T00:00:00.000Z', uuid: "'; drop", properties: {} }]))`,
    ],
    [
      'an event with a list as properties',
      `capture(JSON.stringify([{ event: 'a', distinct_id: 'b', timestamp: '2030-01-01T00:00:00.000Z', properties: [] }]))`,
    ],
  ])('end its process: %s', async (_, attack) => {
    const { failure, services } = await startEscaped(attack)

    expect(failure).toMatchObject({
      by: 'app',
      message: expect.stringMatching(/^The app broke the rules of its process/),
    })
    expect(services.events).toEqual([])
  })

  it.each([
    ['a call that does not exist', ['toString', []], "There is no 'toString'."],
    ['a key that is none', ['storage.get', [{}]], 'Expected a text.'],
    ['a payload that is no JSON', ['enqueue', ['a', '{', 0]], 'Expected JSON.'],
    [
      'a payload of many values',
      ['enqueue', ['a', `[${'1,'.repeat(30_000)}1]`, 0]],
      'The payload has more than 20000 values.',
    ],
    [
      'a payload that is nested deep',
      ['enqueue', ['a', '['.repeat(200) + ']'.repeat(200), 0]],
      'The payload is nested too deep.',
    ],
    [
      'more skipped rows than in a call',
      ['skip', [Array(201).fill(['a', 'b'])]],
      'Expected at most 200 rows.',
    ],
    ['too long a key', ['storage.get', ['x'.repeat(300)]], 'The value is larger than 200 bytes.'],
    ['a time that is none', ['enqueue', ['a', null, 'soon']], 'Expected a number.'],
    [
      'an attachment of nobody',
      ['attachment', ['__proto__']],
      "There is no attachment '__proto__'.",
    ],
    [
      'a method that opens tunnels',
      ['fetch', [{ url: 'http://example.com', method: 'CONNECT' }]],
      "The method 'CONNECT' is not allowed.",
    ],
    [
      'a header with a line in it',
      ['fetch', [{ url: 'http://example.com', method: 'GET', headers: [['a', 'b\r\nc: d']] }]],
      "The header 'a' has an invalid value.",
    ],
    ['nothing to fetch', ['fetch', []], 'Invalid URL'],
    ['no query', ['postgres', [1]], 'query expects a URL, a text and a list of parameters.'],
  ])('are refused: %s', async (_, [name, args], message) => {
    const call = JSON.stringify({ t: 'call', id: 5, name, args })
    const { services, failure } = await startEscaped(`
      process.stdin.on('data', (part) => log(part.subarray(5)))
      send(0, ${JSON.stringify(call)})
      process.stdin.once('data', () => setTimeout(() => process.exit(3), 200))`)

    const [answer] = services.messages().filter((line) => line.includes('refuse'))
    expect(answer).toContain(JSON.stringify(message).slice(1, -1))
    expect(failure.message).toContain('did not start')
    expect([...services.stored]).toEqual([])
  })

  it('end its process if it never reads the responses', async () => {
    const { failure } = await startEscaped(
      `for (let i = 1; ; i++) send(0, JSON.stringify({ t: 'call', id: i, name: 'storage.get', args: ['k'] }))`,
      SANDBOX,
      { callsPerSecond: 1e9, loadMs: 20_000 },
      { storage: { ...recordServices().storage, get: async () => 'x'.repeat(500_000) } },
    )

    expect(failure).toMatchObject({ by: 'app', message: 'The app requested more than it reads.' })
  })

  it('are throttled, and the host stays responsive', async () => {
    const { failure } = await startEscaped(
      `for (let i = 0; ; i++) send(0, '{"t":"credit","stream":1,"bytes":5}')`,
      SANDBOX,
      { callsPerSecond: 500, loadMs: 2500 },
    )

    expect(failure).toMatchObject({ by: 'app', message: expect.stringContaining('timed out') })
  })
})

describe('the code of a process', () => {
  it('fits into a command line and contains no path of this machine', async () => {
    const { bootstrap, prelude } = await getChildCode()

    expect(bootstrap.length).toBeLessThan(100_000)
    expect(bootstrap + prelude).not.toContain(process.cwd())
  })
})
