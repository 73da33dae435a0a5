import { setTimeout } from 'node:timers/promises'
import { main } from '#server/main.ts'

interface Command {
  readonly args: readonly string[]
  readonly env: Record<string, string | undefined>
}

const { PATH, TMPDIR } = process.env
process.stdout.setMaxListeners(0) // each command adds a listener
process.on('disconnect', () => process.exit()) // a command that does not end would keep this process alive
process.on('message', async ({ args, env }: Command) => {
  const open = countOpen()
  process.env = { PATH, TMPDIR, ...env }
  process.exitCode = 0
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      written[name] += text
      return true
    }
  }
  await main([process.execPath, 'hedgerow', ...args])
  while (hasMoreThan(open)) await setTimeout(5)
  process.send?.({ code: process.exitCode, ...written })
})

/** Counts the resources that keep the process from ending, by type. */
const countOpen = (): Map<string, number> => {
  const open = new Map<string, number>()
  for (const type of process.getActiveResourcesInfo()) open.set(type, (open.get(type) ?? 0) + 1)
  return open
}

/** Tells whether the command has left something open. What was open before it may have closed meanwhile. */
const hasMoreThan = (before: ReadonlyMap<string, number>): boolean =>
  countOpen()
    .entries()
    .some(([type, count]) => count > (before.get(type) ?? 0))
