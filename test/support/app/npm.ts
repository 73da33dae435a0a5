import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The environment of a user's shell: with the Node of the machine, and without what npm passes to its scripts. */
export const USER_ENV: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}

const NETWORK_ERROR = /\b(EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT)\b/

/** Runs npm and returns its output. Rejects with its errors. */
export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run('npm', args, { cwd, env: USER_ENV, maxBuffer: 16 * 1024 * 1024 })
    return stdout
  } catch (cause) {
    const { stderr } = cause as { stderr: string }
    const reason = NETWORK_ERROR.test(stderr) ? 'cannot reach its registry' : 'failed'
    throw new Error(`npm ${args[0]} ${reason}:\n${stderr}`, { cause })
  }
}
