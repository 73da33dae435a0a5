import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { StorageOptions } from '#server/db/open.ts'

/**
 * Runs the body of a module in `count` processes at the same moment and returns each `result`. Each process runs
 * `setUp` first.
 */
export async function runTogether(count: number, setUp: string, body: string): Promise<unknown[]> {
  const code = `${setUp}
    process.send('ready')
    await new Promise((resolve) => process.once('message', resolve))
    let result
    ${body}
    console.log(JSON.stringify(result ?? null))
    process.disconnect()`
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
  const outcomes = children.map(readOutcome)
  await Promise.all(
    children.map((child) => Promise.race([once(child, 'message'), once(child, 'exit')])),
  )
  for (const child of children) if (child.connected) child.send('go')
  return Promise.all(outcomes)
}

async function readOutcome(child: ChildProcess): Promise<unknown> {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('no pipes')
  const [said, complained] = await Promise.all([text(stdout), text(stderr)])
  if (complained !== '') throw new Error(complained)
  return JSON.parse(said)
}

const module = (name: string): string => new URL(`../../../src/db/${name}`, import.meta.url).href

/** For `setUp`: provides `storage` as a server has it. */
export const openInChild = (options: StorageOptions): string =>
  `import { openStorage } from '${module('open.ts')}'
  const storage = await openStorage(${JSON.stringify(options)})`

/** For `setUp`: provides `storage` without a schema, and `migrate`. */
export const connectInChild = (options: StorageOptions): string =>
  `import { connectStorage } from '${module('open.ts')}'
  import { migrate } from '${module('migrate.ts')}'
  const storage = await connectStorage(${JSON.stringify(options)})`
