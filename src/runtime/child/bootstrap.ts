import { read, writeSync } from 'node:fs'
import vm from 'node:vm'
import { FRAME, FRAME_HEADER_LENGTH, MAX_FRAME, type ToApp } from '../process/protocol.ts'
import type { Bridge, Prelude } from './bridge.ts'
import { Buffer, binary, loadModule, URL, URLSearchParams } from './builtins.ts'
import { harden } from './harden.ts'

const cpuUsage = process.cpuUsage.bind(process)
const exit = process.exit.bind(process)

let prelude: Prelude | undefined

// Synchronous and blocking: a parent that does not read stops the app, instead of filling the app's memory.
// Whoever touches process.stdout makes the descriptor non-blocking.
function send(kind: number, content: Uint8Array): void {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + content.length)
  frame.writeUInt32BE(content.length + 1, 0)
  frame[4] = kind
  frame.set(content, FRAME_HEADER_LENGTH)
  for (let sent = 0; sent < frame.length; ) sent += writeSync(1, frame, sent)
}

function sendText(kind: number, text: string): boolean {
  const content = Buffer.from(text, 'utf8')
  if (content.length >= MAX_FRAME) return false
  send(kind, content)
  return true
}

function sendBytes(stream: number, part: Uint8Array): void {
  const content = Buffer.allocUnsafe(4 + part.length)
  content.writeUInt32BE(stream, 0)
  content.set(part, 4)
  send(FRAME.bytes, content)
}

function answerPing(): void {
  const { user, system } = cpuUsage()
  const content = Buffer.allocUnsafe(8)
  content.writeBigUInt64BE(BigInt(user + system))
  send(FRAME.ping, content)
}

function startPrelude(code: string): Prelude {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    name: 'app',
    codeGeneration: { strings: true, wasm: false },
  })
  const run = (text: string, file: string): unknown =>
    new vm.Script(text, { filename: file }).runInContext(context)
  const start = run(code, 'hedgerow:prelude') as (bridge: Bridge) => Prelude
  return start({
    control: (text) => sendText(FRAME.control, text),
    capture: (text) => sendText(FRAME.capture, text),
    bytes: sendBytes,
    run,
    loadModule,
    Buffer,
    URL,
    URLSearchParams,
    binary,
  })
}

function receive(kind: number, content: Buffer): void {
  if (kind === FRAME.ping) answerPing()
  else if (kind === FRAME.bytes) {
    prelude?.receiveBytes(content.readUInt32BE(0), content.subarray(4))
  } else if (prelude) prelude.receive(content.toString('utf8'))
  else {
    const message = JSON.parse(content.toString('utf8')) as ToApp
    if (message.t === 'prelude') prelude = startPrelude(message.code)
  }
}

let held: Buffer = Buffer.alloc(0)

function take(part: Buffer): void {
  held = held.length === 0 ? part : Buffer.concat([held, part])
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
    const end = 4 + held.readUInt32BE(0)
    const frame = held.subarray(4, end)
    held = held.subarray(end)
    receive(frame[0] as number, frame.subarray(1))
  }
}

// Not by process.stdin: that would load streams and sockets first, which takes longer than all the rest.
function listen(): void {
  const room = Buffer.allocUnsafeSlow(64 * 1024)
  read(0, room, 0, room.length, null, (error, length) => {
    if (error || length === 0) exit(0)
    listen()
    take(room.subarray(0, length))
  })
}

process.on('unhandledRejection', (reason) => prelude?.problem(reason))
process.on('uncaughtException', (error) => {
  if (prelude) return prelude.problem(error)
  writeSync(2, String(error.stack))
  exit(1)
})

harden()
listen()
sendText(FRAME.control, '{"t":"ready"}')
