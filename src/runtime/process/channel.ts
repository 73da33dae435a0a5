import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Turns } from '#server/turns.ts'
import { Failure } from '../failure.ts'
import type { Limits } from '../limits.ts'
import { BrokenFrame, createFrameReader, toFrame } from '../wire/frames.ts'
import { FRAME, MAX_FRAME_LENGTH, type ToApp } from '../wire/protocol.ts'
import type { ProcessExit } from './exit-failure.ts'
import type { ProcessSandbox } from './sandbox.ts'

const MIB = 1024 * 1024

/** Enough for V8's message when it aborts. */
const MAX_STDERR_LENGTH = 8 * 1024

/** Replies that the app has not read stay in the host's memory. */
const MAX_UNREAD_BYTES = 64 * MIB

/** A process and the two pipes to it. Knows frames, not their meaning. */
export interface Channel {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  /** Returns the number of bytes. */
  send(message: ToApp): number
  sendBytes(stream: number, chunk: Uint8Array): void
  ping(): void
  /** Stops reading, so that the process blocks at its next write. Every `pause` needs a `resume`. */
  pause(): void
  resume(): void
  readonly isPaused: boolean
  /** Takes the CPU from the process until it is continued. */
  suspend(): void
  continue(): void
  kill(): void
}

export interface ChannelOptions {
  readonly sandbox: ProcessSandbox
  readonly bootstrap: string
  readonly limits: Limits
  readonly turns: Turns
  onFrame(kind: number, content: Buffer): void
  /** The process cannot be used any more; the caller kills it. */
  onFailure(failure: Failure): void
}

export function openChannel(options: ChannelOptions): Channel {
  const { sandbox, limits, bootstrap, turns } = options
  const node = [process.execPath, ...nodeFlags(limits), '-e', bootstrap]
  const [program, ...args] = [...sandbox.wrapper, ...node]
  const child = spawn(program as string, args, {
    env: { TZ: 'UTC' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // in a process group of its own, so that a signal from a terminal or to a group reaches only the server or the app
    detached: true,
  })
  const [stdin, stdout] = [child.stdin as Writable, child.stdout as Readable]
  const exited = waitForExit(child)
  const waiting: Buffer[] = []
  let pauses = 0
  let isBroken = false
  let hasExited = false

  function pause(): void {
    pauses += 1
    stdout.pause()
  }

  function resume(): void {
    pauses -= 1
    if (pauses === 0) stdout.resume()
  }

  const read = createFrameReader(MAX_FRAME_LENGTH, options.onFrame)
  const receive = (chunk: Buffer) => {
    if (isBroken) return
    try {
      read(chunk)
    } catch (error) {
      isBroken = true
      const what = error instanceof BrokenFrame ? error.message : 'something unexpected'
      const message = `The app broke the rules of its process: it sent ${what}.`
      options.onFailure(new Failure('app', message))
    }
  }
  const receiveNext = () => {
    const chunk = waiting.shift()
    if (chunk) receive(chunk)
  }
  // a chunk waits for a turn with time for it, because its frames may take as long as several requests
  stdout.on('data', (chunk: Buffer) => {
    waiting.push(chunk)
    if (hasExited) return receiveAll()
    let isLate = false
    turns.enter(() => {
      receiveNext()
      if (isLate) resume()
    })
    isLate = waiting.length > 0
    if (isLate) pause()
  })
  const receiveAll = () => {
    while (waiting.length > 0) receiveNext()
  }
  child.on('exit', () => {
    hasExited = true
    receiveAll() // before `exited` resolves
    stdout.resume() // `exited` waits for the pipes, and a paused pipe never ends
  })
  // writes to a process that has exited fail; `exited` reports the exit
  stdin.on('error', () => {})
  stdout.on('error', () => {})

  const write = (kind: number, content: Uint8Array) => {
    if (stdin.writable) stdin.write(toFrame(kind, content))
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      options.onFailure(new Failure('app', 'The app requested more than it reads.'))
    }
  }

  return {
    pid: child.pid ?? 0,
    exited,
    send(message) {
      const content = Buffer.from(JSON.stringify(message))
      write(FRAME.control, content)
      return content.length
    },
    sendBytes(stream, chunk) {
      const content = Buffer.allocUnsafe(4 + chunk.length)
      content.writeUInt32BE(stream, 0)
      content.set(chunk, 4)
      write(FRAME.bytes, content)
    },
    ping: () => write(FRAME.ping, Buffer.alloc(0)),
    pause,
    resume,
    get isPaused() {
      return pauses > 0
    },
    suspend: () => void child.kill('SIGSTOP'),
    continue: () => void child.kill('SIGCONT'),
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

function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_LENGTH)
      stderr += chunk.toString('latin1').slice(0, MAX_STDERR_LENGTH)
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, stderr: error.message }))
    child.on('close', (code, signal) => resolve({ code, signal, stderr }))
  })
}
