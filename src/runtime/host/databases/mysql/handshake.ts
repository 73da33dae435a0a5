import { encryptPassword, toAuthResponse, toClearPassword } from './authenticate.ts'
import { createCursor, ServerError } from './packets.ts'
import type { Wire } from './wire.ts'

const CLIENT = {
  longPassword: 1,
  longFlag: 4,
  connectWithDb: 8,
  protocol41: 0x200,
  ssl: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  pluginAuth: 0x8_0000,
  authLength: 0x20_0000,
}
const MAX_PACKET = 0x40_00_00_00
const UTF8MB4 = 45

const OK = 0x00
const MORE = 0x01
const SWITCH = 0xfe
const ERROR = 0xff
/** The replies of `caching_sha2_password` to a response. */
const FAST_OK = 3
const FULL_NEEDED = 4
const REQUEST_KEY = Buffer.of(2)

export interface Login {
  readonly user: string
  readonly password: string
  readonly database: string
  /** Absent: no TLS. */
  readonly tls?: { readonly servername: string; readonly rejectUnauthorized: boolean }
}

/** Signs in, and returns the server's version. */
export async function shakeHands(wire: Wire, login: Login): Promise<string> {
  const greeting = parseGreeting(await wire.receive())
  const { tls } = login
  if (tls) {
    if ((greeting.capabilities & CLIENT.ssl) === 0) throw new Error('the server has no TLS')
    wire.send(toLoginHead(login))
    await wire.encrypt(tls)
  }
  const method = greeting.method || 'mysql_native_password'
  let nonce = greeting.nonce
  wire.send(toLogin(login, method, nonce))
  for (;;) {
    const content = await wire.receive()
    const [kind] = content
    if (kind === OK) return greeting.version
    if (kind === ERROR) throw new ServerError(content)
    if (kind === SWITCH) {
      const cursor = createCursor(content.subarray(1))
      const other = cursor.text()
      nonce = toNonce(cursor.rest())
      wire.send(toAuthResponse(other, login.password, nonce))
    } else if (kind === MORE) await continueSha2(wire, login, nonce, content.subarray(1))
    else throw new Error('the server sent an unknown packet')
  }
}

/** Full authentication sends the password itself: over TLS, or encrypted with the server's key. */
async function continueSha2(
  wire: Wire,
  { password, tls }: Login,
  nonce: Buffer,
  content: Buffer,
): Promise<void> {
  if (content[0] === FAST_OK) return
  if (content[0] !== FULL_NEEDED) throw new Error('the server sent an unknown packet')
  if (tls) {
    wire.send(toClearPassword(password))
    return
  }
  wire.send(REQUEST_KEY)
  const key = await wire.receive()
  if (key[0] === ERROR) throw new ServerError(key)
  wire.send(encryptPassword(password, nonce, key.subarray(1).toString()))
}

function parseGreeting(content: Buffer) {
  if (content[0] === ERROR) throw new ServerError(content)
  const cursor = createCursor(content)
  if (cursor.integer(1) !== 10) throw new Error('this is no server of MySQL or MariaDB')
  const version = cursor.text()
  cursor.take(4)
  const first = cursor.take(8)
  cursor.take(1)
  const low = cursor.integer(2)
  cursor.take(3)
  const capabilities = (low | (cursor.integer(2) << 16)) >>> 0
  const length = cursor.integer(1)
  cursor.take(10)
  const second = cursor.take(Math.max(13, length - 8))
  const method = cursor.isAtEnd() ? '' : cursor.text()
  return { version, capabilities, nonce: toNonce(Buffer.concat([first, second])), method }
}

/** A nonce has 20 bytes, and a zero behind them. */
const toNonce = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, 20))

/** Without multiple statements, and without files of the client. */
function toLoginHead({ database, tls }: Login): Buffer {
  const { longPassword, longFlag, protocol41, transactions } = CLIENT
  const { secureConnection, pluginAuth, authLength } = CLIENT
  const head = Buffer.alloc(32)
  head.writeUInt32LE(
    longPassword |
      longFlag |
      protocol41 |
      transactions |
      secureConnection |
      pluginAuth |
      authLength |
      (database === '' ? 0 : CLIENT.connectWithDb) |
      (tls ? CLIENT.ssl : 0),
    0,
  )
  head.writeUInt32LE(MAX_PACKET, 4)
  head.writeUInt8(UTF8MB4, 8)
  return head
}

function toLogin(login: Login, method: string, nonce: Buffer): Buffer {
  // a method that is unknown may be switched, so it gets an empty response first
  const isKnown = method === 'mysql_native_password' || method === 'caching_sha2_password'
  const response = isKnown ? toAuthResponse(method, login.password, nonce) : Buffer.alloc(0)
  const zero = Buffer.alloc(1)
  const database = login.database === '' ? [] : [Buffer.from(login.database), zero]
  return Buffer.concat([
    toLoginHead(login),
    ...[Buffer.from(login.user), zero],
    ...[Buffer.of(response.length), response],
    ...database,
    ...[Buffer.from(isKnown ? method : 'mysql_native_password'), zero],
  ])
}
