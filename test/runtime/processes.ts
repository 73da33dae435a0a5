import { readdirSync, readFileSync } from 'node:fs'

/** Reads a field of `/proc/<pid>/status`. Returns '' if the process is gone. */
export function readStatus(pid: string, field: string): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return new RegExp(`^${field}:[ \\t]*(.*)`, 'm').exec(status)?.[1] ?? ''
  } catch {
    return ''
  }
}

/** Lists the apps' processes of a server. */
export const appsOf = (server: number): string[] =>
  readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && readStatus(pid, 'PPid') === String(server) && isApp(pid),
  )

/**
 * Returns a function that lists the apps' processes started since: test files share this process and leave some
 * running.
 */
export function watchApps(): () => string[] {
  const before = new Set(appsOf(process.pid))
  return () => appsOf(process.pid).filter((pid) => !before.has(pid))
}

/** Tells whether the process is stopped by a signal. */
export const isSuspended = (pid: string): boolean => readStatus(pid, 'State').startsWith('T')

/** Tells apps from the processes that draw pictures by a flag that only apps have. */
function isApp(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--no-addons')
  } catch {
    return false
  }
}
