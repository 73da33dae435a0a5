import { read, writeSync } from 'node:fs'
import vm from 'node:vm'
import { findPartEnd } from '#server/json-scan.ts'
import {
  FRAME,
  FRAME_HEADER_LENGTH,
  MAX_FRAME_LENGTH,
  MAX_MESSAGE_VALUES,
  type ToApp,
} from '../wire/protocol.ts'
import type { Bridge, Prelude } from './bridge.ts'
import { Buffer, binary, loadModule, URL, URLSearchParams } from './builtins.ts'
import { allocate, join, readUint32, subarray, toBytes, toText, writeUint32 } from './bytes.ts'
import { harden } from './harden.ts'

const cpuUsage = process.cpuUsage.bind(process)
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit
const { setImmediate } = globalThis

const NOTHING = allocate(0)

let prelude: Prelude | undefined

// Synchronous and blocking: a host that does not read stops the app instead of filling the app's memory.
// Using process.stdout would make the descriptor non-blocking.
function send(kind: number, head: Uint8Array, content: Uint8Array): void {
  const frame = join(head, content, FRAME_HEADER_LENGTH)
  writeUint32(frame, head.length + content.length + 1)
  frame[4] = kind
  for (let sent = 0; sent < frame.length; ) sent += writeSync(1, frame, sent)
}

function sendControl(text: string): number {
  const content = toBytes(text)
  const isTooMuch = typeof findPartEnd(content, 0, MAX_MESSAGE_VALUES) === 'string'
  return isTooMuch ? 0 : sendContent(FRAME.control, NOTHING, content)
}

function sendCapture(id: number, text: string): number {
  return sendContent(FRAME.capture, toHead(id), toBytes(text))
}

function sendContent(kind: number, head: Uint8Array, content: Uint8Array): number {
  const length = head.length + content.length
  if (length >= MAX_FRAME_LENGTH) return 0
  send(kind, head, content)
  return length
}

function sendBytes(stream: number, chunk: Uint8Array): void {
  send(FRAME.bytes, toHead(stream), chunk)
}

function toHead(id: number): Uint8Array {
  const head = allocate(4)
  writeUint32(head, id)
  return head
}

function replyToPing(): void {
  const { user, system } = cpuUsage()
  const [high, low] = [allocate(4), allocate(4)]
  writeUint32(high, (user + system) / 2 ** 32)
  writeUint32(low, user + system)
  send(FRAME.ping, high, low)
}

function startPrelude({ code, modules }: Extract<ToApp, { t: 'prelude' }>): Prelude {
  const provided = new Set(modules)
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    name: 'app',
    codeGeneration: { strings: true, wasm: false },
  })
  const run = (text: string, file: string): unknown =>
    new vm.Script(text, { filename: file }).runInContext(context)
  const start = run(code, 'hedgerow:prelude') as (bridge: Bridge) => Prelude
  return start(
    Object.freeze<Bridge>({
      sendControl,
      sendCapture,
      sendBytes,
      run,
      defer: (callback) => void setImmediate(callback),
      // checked here, because the app can change what the prelude's code is made of
      loadModule: (name) => (provided.has(name) ? loadModule(name) : undefined),
      Buffer,
      URL,
      URLSearchParams,
      binary,
    }),
  )
}

function receive(kind: number, content: Buffer): void {
  if (kind === FRAME.ping) replyToPing()
  else if (kind === FRAME.bytes) {
    prelude?.receiveBytes(readUint32(content), subarray(content, 4))
  } else if (prelude) prelude.receive(toText(content))
  else {
    const message = JSON.parse(toText(content)) as ToApp
    if (message.t === 'prelude') prelude = startPrelude(message)
  }
}

let received: Buffer = NOTHING

function readFrames(chunk: Buffer): void {
  received = received.length === 0 ? chunk : join(received, chunk)
  while (received.length >= 4 && received.length >= 4 + readUint32(received)) {
    const end = 4 + readUint32(received)
    const frame = subarray(received, 4, end)
    received = subarray(received, end)
    receive(frame[0] as number, subarray(frame, 1))
  }
}

// Without process.stdin, which would load streams and sockets first: that takes longer than everything else.
function listen(): void {
  const buffer = allocate(64 * 1024)
  read(0, buffer, 0, buffer.length, null, (error, length) => {
    if (error || length === 0) exit(0)
    listen()
    readFrames(subarray(buffer, 0, length))
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
sendControl('{"t":"ready"}')
