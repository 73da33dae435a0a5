import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { Failure } from '../failure.ts'
import type { Limits } from '../limits.ts'
import { BrokenFrame, createFrameReader, toFrame } from './frames.ts'
import { FRAME, MAX_FRAME, type ToApp } from './protocol.ts'
import type { Sandbox } from './sandbox.ts'

/** Enough to see what V8 says when it gives up. */
const STDERR_KEPT = 8 * 1024

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** A process and the two pipes to it. Knows frames, not what they say. */
export interface Channel {
  readonly pid: number
  readonly exited: Promise<Exit>
  send(message: ToApp): void
  sendBytes(stream: number, part: Uint8Array): void
  ping(): void
  /** Not read from, the process comes to a halt with its next word. Every `hold` needs a `release`. */
  hold(): void
  release(): void
  readonly isHeld: boolean
  kill(): void
}

export interface ChannelOptions {
  readonly seal: Sandbox
  readonly bootstrap: string
  readonly limits: Limits
  onFrame(kind: number, content: Buffer): void
  /** The process is of no use any more, and is to be killed. */
  onFailure(failure: Failure): void
}

const MIB = 1024 * 1024

/** Nobody needs so many answers at once, and the parent has to keep them. */
const MAX_UNREAD = 64 * MIB

export function openChannel(options: ChannelOptions): Channel {
  const { seal, limits, bootstrap } = options
  const [program, ...args] = [
    ...seal.wrapper,
    process.execPath,
    ...nodeFlags(limits),
    '-e',
    bootstrap,
  ]
  const child = spawn(program as string, args, {
    env: { TZ: 'UTC' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const [stdin, stdout] = [child.stdin as Writable, child.stdout as Readable]
  const exited = watchExit(child)
  let holds = 0
  let isBroken = false

  const read = createFrameReader(MAX_FRAME, options.onFrame)
  stdout.on('data', (part: Buffer) => {
    if (isBroken) return
    try {
      read(part)
    } catch (error) {
      isBroken = true
      const what = error instanceof BrokenFrame ? error.message : 'something unexpected'
      const message = `The app broke the rules of its process: it sent ${what}.`
      options.onFailure(new Failure('app', message))
    }
  })
  // `exited` waits for the pipes, and a pipe that is held does not end
  child.on('exit', () => stdout.resume())
  // a process that has ended takes no more, and `exited` says so
  stdin.on('error', () => {})
  stdout.on('error', () => {})

  const write = (kind: number, content: Uint8Array) => {
    if (stdin.writable) stdin.write(toFrame(kind, content))
    if (stdin.writableLength > MAX_UNREAD) {
      options.onFailure(new Failure('app', 'The app asked for more than it reads.'))
    }
  }

  return {
    pid: child.pid ?? 0,
    exited,
    send: (message) => write(FRAME.control, Buffer.from(JSON.stringify(message))),
    sendBytes(stream, part) {
      const content = Buffer.allocUnsafe(4 + part.length)
      content.writeUInt32BE(stream, 0)
      content.set(part, 4)
      write(FRAME.bytes, content)
    },
    ping: () => write(FRAME.ping, Buffer.alloc(0)),
    hold() {
      holds += 1
      stdout.pause()
    },
    release() {
      holds -= 1
      if (holds === 0) stdout.resume()
    },
    get isHeld() {
      return holds > 0
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

const nodeFlags = (limits: Limits): string[] => [
  '--permission',
  '--no-experimental-sqlite',
  '--no-experimental-ffi',
  '--no-addons',
  '--disallow-code-generation-from-strings',
  '--disable-sigusr1',
  `--max-old-space-size=${Math.ceil(limits.heapMemoryBytes / MIB)}`,
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--no-warnings',
  '--stack-trace-limit=20',
]

function watchExit(child: ChildProcess): Promise<Exit> {
  let stderr = ''
  child.stderr?.on('data', (part: Buffer) => {
    if (stderr.length < STDERR_KEPT) stderr += part.toString('latin1').slice(0, STDERR_KEPT)
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, stderr: error.message }))
    child.on('close', (code, signal) => resolve({ code, signal, stderr }))
  })
}
