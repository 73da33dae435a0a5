import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Limits } from '../limits.ts'

const run = promisify(execFile)

/** An unprivileged account that every system has. Its processes cannot signal the server's. */
const NOBODY = 65534

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin']

/** How the kernel is made to hold an app's process. */
export interface Sandbox {
  /** The command in front of `node`, or nothing. */
  readonly wrapper: readonly string[]
  /** Whom the process runs as, where that is not who runs the server. */
  readonly user: number | undefined
  /** After this the process can open nothing and allocate no more than `data`. Before any app code. */
  restrict(pid: number, limits: Limits): Promise<void>
  /** What is missing, in words for the operator. */
  readonly missing: string | undefined
}

export function findSandbox(): Sandbox {
  const [setpriv, prlimit] = [findProgram('setpriv'), findProgram('prlimit')]
  if (!setpriv || !prlimit) {
    return {
      wrapper: [],
      user: undefined,
      restrict: async () => {},
      missing:
        'setpriv and prlimit (util-linux) were not found, so apps are held back by Node alone and not by the kernel.',
    }
  }
  const isRoot = process.getuid?.() === 0
  const missing = isRoot ? findObstacle() : undefined
  const user = isRoot && !missing ? NOBODY : undefined
  const as = user ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : []
  return {
    wrapper: [
      ...[setpriv, '--pdeathsig=KILL', '--no-new-privs', ...as, '--'],
      ...[prlimit, '--core=0', '--fsize=0', '--'],
    ],
    user,
    missing,
    async restrict(pid, limits) {
      const data = (readStatus(pid, 'VmData') ?? 0) + limits.nativeMemoryBytes
      const args = [`--pid=${pid}`, '--nofile=0:0', `--data=${data}`]
      // only its own user, or one with a capability that servers rarely have, may limit a process
      await run(prlimit, args, { env: {}, ...(user && { uid: user, gid: user }) })
    },
  }
}

/** Why root cannot hand apps to another account, in words for the operator. */
function findObstacle(): string | undefined {
  if (!canExecute(process.execPath)) {
    return `apps run as root, because no other account may read ${process.execPath}. Run Hedgerow as another user, or install Node where every account can read it.`
  }
  if (!canChangeUser()) {
    return 'apps run as root, because the capabilities SETUID, SETGID and KILL are missing. Run Hedgerow as another user, or give it these.'
  }
  return undefined
}

function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Whether anybody may: the file and every folder above it. */
function canExecute(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === '/') return true
  }
}

/** Bits of the kernel's own numbering: KILL 5, SETGID 6, SETUID 7. */
function canChangeUser(): boolean {
  const [, effective] = /^CapEff:\s+(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (Number.parseInt((effective ?? '').slice(-2), 16) & 0b1110_0000) === 0b1110_0000
}

/** In bytes; undefined where the system does not tell, or for a process that is gone. */
export function readStatus(pid: number, name: 'VmData' | 'VmRSS'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
    return kib === undefined ? undefined : Number(kib) * 1024
  } catch {
    return undefined
  }
}
