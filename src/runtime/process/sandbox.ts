import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Limits } from '../limits.ts'
import { createAppUsers, DEFAULT_APP_USERS, type UserRange } from './app-users.ts'
import { findProgram } from './find-program.ts'

const run = promisify(execFile)

/** The kernel's part of the sandbox around apps' processes. */
export interface Sandbox {
  /** Prepares the sandbox of one process. Throws if there is no user left for it. */
  open(): ProcessSandbox
  /** Whether the kernel ends the processes with the server, however the server ends. */
  readonly endsWithServer: boolean
  /** The missing part of the sandbox, worded for the operator. */
  readonly missing: string | undefined
}

export interface ProcessSandbox {
  /** The command in front of `node`; empty if there is none. */
  readonly wrapper: readonly string[]
  /** The user ID of the process, if it differs from the server's. */
  readonly user: number | undefined
  /** Lets the process open nothing and allocate no more than the limit. Call it before the process gets app code. */
  restrict(pid: number, limits: Limits): Promise<void>
  /** Frees the user for another process. Call it when the process is gone. */
  close(): void
}

export function findSandbox(range: UserRange = DEFAULT_APP_USERS): Sandbox {
  const [setpriv, prlimit] = [findProgram('setpriv'), findProgram('prlimit')]
  if (!setpriv || !prlimit) {
    return {
      open: () => NO_SANDBOX,
      endsWithServer: false,
      missing:
        'setpriv and prlimit (util-linux) were not found, so only Node restricts apps, not the kernel.',
    }
  }
  const isRoot = process.getuid?.() === 0
  const missing = isRoot ? findUserObstacle() : undefined
  const users = isRoot && !missing ? createAppUsers(range) : undefined
  return {
    open() {
      const user = users?.acquire()
      if (users && user === undefined) {
        throw new Error(`all users from ${range.first} to ${range.last} have processes`)
      }
      return {
        wrapper: toWrapper(setpriv, prlimit, user),
        user,
        restrict: (pid, limits) => restrictMemoryAndFiles(prlimit, pid, user, limits),
        close: () => void (user !== undefined && users?.release(user)),
      }
    },
    endsWithServer: true,
    missing,
  }
}

/** Leaves the process to Node's permission model. */
export const NO_SANDBOX: ProcessSandbox = {
  wrapper: [],
  user: undefined,
  restrict: async () => {},
  close: () => {},
}

const toWrapper = (setpriv: string, prlimit: string, user: number | undefined): string[] => [
  setpriv,
  '--pdeathsig=KILL',
  '--no-new-privs',
  ...(user ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : []),
  '--',
  prlimit,
  '--core=0',
  '--fsize=0',
  '--',
]

async function restrictMemoryAndFiles(
  prlimit: string,
  pid: number,
  user: number | undefined,
  { nativeMemoryBytes }: Limits,
): Promise<void> {
  const data = (readProcessMemory(pid, 'VmData') ?? 0) + nativeMemoryBytes
  const args = [`--pid=${pid}`, '--nofile=0:0', `--data=${data}`]
  // only the process's own user may limit it, or one with a capability that servers rarely have
  await run(prlimit, args, { env: {}, ...(user && { uid: user, gid: user }) })
}

/** Explains to the operator why a root server cannot run apps as another user. */
function findUserObstacle(): string | undefined {
  if (!isExecutableByAll(process.execPath)) {
    return `apps run as root because no other user may read ${process.execPath}. Run Hedgerow as another user, or install Node where every user can read it.`
  }
  if (!canChangeUser()) {
    return 'apps run as root because the capabilities SETUID, SETGID and KILL are missing. Run Hedgerow as another user, or grant it these capabilities.'
  }
  return undefined
}

/** Checks the file and every folder above it. */
function isExecutableByAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === '/') return true
  }
}

/** Checks the kernel's capability bits KILL (5), SETGID (6) and SETUID (7). */
function canChangeUser(): boolean {
  const [, effective] = /^CapEff:\s+(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (Number.parseInt((effective ?? '').slice(-2), 16) & 0b1110_0000) === 0b1110_0000
}

/** Returns bytes, or undefined if the system does not tell or the process is gone. */
export function readProcessMemory(pid: number, field: 'VmData' | 'VmRSS'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
    return kib === undefined ? undefined : Number(kib) * 1024
  } catch {
    return undefined
  }
}
