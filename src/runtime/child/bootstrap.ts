import { read, writeSync } from 'node:fs'
import vm from 'node:vm'
import { FRAME, FRAME_HEADER_LENGTH, MAX_FRAME_LENGTH, type ToApp } from '../process/protocol.ts'
import type { Bridge, Prelude } from './bridge.ts'
import { Buffer, binary, loadModule, URL, URLSearchParams } from './builtins.ts'
import { harden } from './harden.ts'

const cpuUsage = process.cpuUsage.bind(process)
const exit = process.exit.bind(process)
const { setImmediate } = globalThis

let prelude: Prelude | undefined

// Synchronous and blocking: a host that does not read stops the app instead of filling the app's memory.
// Using process.stdout would make the descriptor non-blocking.
function send(kind: number, content: Uint8Array): void {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + content.length)
  frame.writeUInt32BE(content.length + 1, 0)
  frame[4] = kind
  frame.set(content, FRAME_HEADER_LENGTH)
  for (let sent = 0; sent < frame.length; ) sent += writeSync(1, frame, sent)
}

function sendText(kind: number, text: string): number {
  const content = Buffer.from(text, 'utf8')
  if (content.length >= MAX_FRAME_LENGTH) return 0
  send(kind, content)
  return content.length
}

function sendBytes(stream: number, chunk: Uint8Array): void {
  const content = Buffer.allocUnsafe(4 + chunk.length)
  content.writeUInt32BE(stream, 0)
  content.set(chunk, 4)
  send(FRAME.bytes, content)
}

function replyToPing(): void {
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
    sendControl: (text) => sendText(FRAME.control, text),
    sendCapture: (text) => sendText(FRAME.capture, text),
    sendBytes,
    run,
    defer: (callback) => void setImmediate(callback),
    loadModule,
    Buffer,
    URL,
    URLSearchParams,
    binary,
  })
}

function receive(kind: number, content: Buffer): void {
  if (kind === FRAME.ping) replyToPing()
  else if (kind === FRAME.bytes) {
    prelude?.receiveBytes(content.readUInt32BE(0), content.subarray(4))
  } else if (prelude) prelude.receive(content.toString('utf8'))
  else {
    const message = JSON.parse(content.toString('utf8')) as ToApp
    if (message.t === 'prelude') prelude = startPrelude(message.code)
  }
}

let received: Buffer = Buffer.alloc(0)

function readFrames(chunk: Buffer): void {
  received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
  while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
    const end = 4 + received.readUInt32BE(0)
    const frame = received.subarray(4, end)
    received = received.subarray(end)
    receive(frame[0] as number, frame.subarray(1))
  }
}

// Without process.stdin, which would load streams and sockets first: that takes longer than everything else.
function listen(): void {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024)
  read(0, buffer, 0, buffer.length, null, (error, length) => {
    if (error || length === 0) exit(0)
    listen()
    readFrames(buffer.subarray(0, length))
  })
}

process.on('unhandledRejection', (reason) => prelude?.reportUncaught(reason))
process.on('uncaughtException', (error) => {
  if (prelude) return prelude.reportUncaught(error)
  writeSync(2, String(error.stack))
  exit(1)
})

harden()
listen()
sendText(FRAME.control, '{"t":"ready"}')
