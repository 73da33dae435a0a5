import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '#server/egress/egress.ts'
import { DEFAULT_LIMITS } from '#server/runtime/limits.ts'
import { createPacketReader, toPackets } from './packets.ts'
import { createMysqlReader } from './reader.ts'

const NONCE = Buffer.from('abcdefghijklmnopqrst')
const PASSWORD = 's3cret'
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })

const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0])
const toError = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0x15, 4]), Buffer.from(`#28000${text}`)])

const greetingOf = (method: string) =>
  Buffer.concat([
    ...[Buffer.of(10), Buffer.from('8.4.0\0'), Buffer.alloc(4), NONCE.subarray(0, 8)],
    ...[Buffer.of(0, 0xff, 0xf7, 45, 2, 0, 0xff, 0xdf, 21), Buffer.alloc(10)],
    ...[NONCE.subarray(8), Buffer.of(0), Buffer.from(`${method}\0`)],
  ])

/** Answers the packets of a client one after the other, and every statement after them. */
type Step = (content: Buffer) => Buffer[]

async function serve(method: string, steps: Step[]): Promise<string> {
  const server = createServer((socket: Socket) => {
    const packets = createPacketReader(1_000_000)
    let step = 0
    socket.on('error', () => {})
    socket.write(toPackets(greetingOf(method), 0))
    socket.on('data', (chunk: Buffer) => {
      for (const { content, sequence } of packets.push(chunk)) {
        const answers = steps[step]?.(content) ?? [OK]
        step += 1
        for (const [index, answer] of answers.entries()) {
          socket.write(toPackets(answer, sequence + 1 + index))
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `mysql://ada:${PASSWORD}@127.0.0.1:${(server.address() as { port: number }).port}/shop`
}

async function connect(url: string): Promise<unknown> {
  const reader = createMysqlReader(createEgress({ allowedHosts: ['127.0.0.1'] }), DEFAULT_LIMITS)
  onTestFinished(() => reader.close())
  return reader.query([url, 'select 1', []])
}

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The response as the documentation defines it: SHA256(pw) XOR SHA256(SHA256(SHA256(pw)) + nonce). */
const EXPECTED = (() => {
  const once = hash(Buffer.from(PASSWORD))
  const other = hash(hash(once), NONCE)
  return Buffer.from(once.map((byte, index) => byte ^ (other[index] as number)))
})()

const more = (...bytes: number[]) => Buffer.of(1, ...bytes)
const publicKey = Buffer.concat([
  more(),
  Buffer.from(KEYS.publicKey.export({ type: 'spki', format: 'pem' }) as string),
])

describe('caching_sha2_password', () => {
  it('signs in by a hash that the server knows', async () => {
    let login: Buffer = Buffer.alloc(0)
    const url = await serve('caching_sha2_password', [
      (content) => {
        login = content
        return [more(3), OK]
      },
    ])

    await connect(url)

    expect(login.includes(EXPECTED)).toBe(true)
    expect(login.subarray(32).toString()).toMatch(/^ada\0.*shop\0caching_sha2_password\0$/s)
    expect(login.includes(PASSWORD)).toBe(false)
  })

  it("encrypts the password with the server's key, if the server does not know the hash", async () => {
    let password = ''
    const url = await serve('caching_sha2_password', [
      () => [more(4)],
      (content) => (content.equals(Buffer.of(2)) ? [publicKey] : [toError('no')]),
      (content) => {
        const key = { key: KEYS.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }
        const masked = privateDecrypt(key, content)
        password = Buffer.from(
          masked.map((byte, index) => byte ^ (NONCE[index % NONCE.length] as number)),
        ).toString()
        return [OK]
      },
    ])

    await connect(url)

    expect(password).toBe(`${PASSWORD}\0`)
  })

  it('is used when the server switches to it', async () => {
    let response: Buffer = Buffer.alloc(0)
    const change = Buffer.concat([
      Buffer.of(0xfe),
      Buffer.from('caching_sha2_password\0'),
      NONCE,
      Buffer.of(0),
    ])
    const url = await serve('mysql_native_password', [
      () => [change],
      (content) => {
        response = content
        return [more(3), OK]
      },
    ])

    await connect(url)

    expect(response).toEqual(EXPECTED)
  })
})

describe('a server', () => {
  it('never gets the password in the clear', async () => {
    const change = Buffer.concat([Buffer.of(0xfe), Buffer.from('mysql_clear_password\0')])
    const url = await serve('mysql_native_password', [() => [change]])

    await expect(connect(url)).rejects.toThrow('signs in this user by "mysql_clear_password"')
  })

  it.each([
    ['refuses', [toError('Access denied')], /Access denied \(1045, 28000\)/],
    ['sends an unknown packet', [Buffer.of(7)], /unknown packet/],
    ['sends a packet that is too short', [Buffer.of(0xff)], /too short/],
  ])('that %s ends the query', async (_, answers, message) => {
    const url = await serve('caching_sha2_password', [() => answers])

    await expect(connect(url)).rejects.toThrow(message)
  })
})

describe('packets', () => {
  it('are put together from chunks of any size, also those of 16 MB and more', () => {
    const contents = [
      Buffer.alloc(0),
      Buffer.from('a'),
      Buffer.alloc(0xff_ff_ff, 1),
      Buffer.alloc(17e6, 2),
    ]
    const bytes = Buffer.concat(contents.map((content) => toPackets(content, 0)))
    const packets = createPacketReader(20e6)
    const found: Buffer[] = []

    for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 99_991) {
      for (const { content } of packets.push(bytes.subarray(at, at + size))) found.push(content)
    }

    expect(found.map(({ length }) => length)).toEqual([0, 1, 0xff_ff_ff, 17e6])
    expect(found.map((content) => content.at(-1))).toEqual([undefined, 97, 1, 2])
  })

  it('end beyond a limit, before they are read', () => {
    const packets = createPacketReader(1000)

    expect(() => [...packets.push(Buffer.of(0xff, 0xff, 0, 0))]).toThrow('larger than 1000 bytes')
  })
})
