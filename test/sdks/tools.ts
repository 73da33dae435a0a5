import { execFile } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { lockedPackages } from '../support/servers/locked-packages.ts'

const run = promisify(execFile)

/** 530 packages, 370 MB, which take a minute. */
const packages = lockedPackages('sdks')
export const PACKAGES = packages.folder

export async function installTools(): Promise<void> {
  await packages.install()
  // Redocly has a command `openapi` too, which nothing here uses
  const command = join(PACKAGES, '.bin/openapi')
  rmSync(command, { force: true })
  symlinkSync('../openapi-typescript-codegen/bin/index.js', command)
}

/** Runs a shell command with the installed packages. Rejects with its output if it fails. */
export async function runTool(
  command: string,
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...toEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await run('sh', ['-c', command], options)
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

const toEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [join(PACKAGES, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  CI: 'true', // no questions
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
})
