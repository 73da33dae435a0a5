import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { fastFolder } from '../app/fast-folder.ts'
import { findBinaries, findServerUser, toReadable, type User } from './postgres-binaries.ts'

export type Databases = ReturnType<typeof databasesAt>
export type Postgres = Databases & { stop(): Promise<void> }

/*
 * The shell owns server and folder, and ends both when its stdin ends: by stop(), or because the
 * kernel closed the pipe of a killed test process. The signal is repeated because a shell without
 * job control starts background commands with SIGQUIT ignored, so one sent early would be lost.
 */
const script = `
bin=$1 temp=$2; shift 2
folder=$(mktemp -d "$temp/hedgerow-postgres-data-XXXXXX") || exit
trap 'rm -rf "$folder"' EXIT
exec 3<&0
"$bin/initdb" -D "$folder/data" --locale=C --encoding=UTF8 --auth=trust --no-sync \
  --username=hedgerow || exit
"$bin/postgres" -D "$folder/data" "$@" 3<&- &
server=$!
{ read -r _ <&3; while kill -QUIT $server; do sleep 0.1; done; } 2>/dev/null &
watcher=$!
wait $server
kill $watcher
`

const settings = [
  'listen_addresses=127.0.0.1',
  // A socket path must fit in about 100 bytes, which a long temp folder does not leave.
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=220',
  'shared_buffers=16MB',
  // databases that live for seconds do not need these
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'io_method=sync',
  // compiling takes longer than the small queries of tests
  'jit=off',
]

/**
 * Starts a real server in its own folder within `parent`. It ends with this process, even if that is killed. Later
 * settings win.
 */
export async function startPostgres(
  moreSettings: readonly string[] = [],
  parent = fastFolder(),
): Promise<Postgres> {
  const user = await findServerUser()
  const { native, version } = await findBinaries()
  const bin = join(await toReadable(native, version, user), 'bin')
  for (let attempt = 1; ; attempt++) {
    // Below the kernel's range of ephemeral ports, so no connection of another test takes it first.
    const port = randomInt(20_000, 30_000)
    const { server, log } = await launch(bin, port, user, moreSettings, parent)
    if (server) return { ...databasesAt(port), stop: () => stop(server) }
    if (attempt === 5 || !log.includes('Address already in use')) {
      throw new Error(`PostgreSQL did not start:\n${log}`)
    }
  }
}

/** The values that other processes need to use this server. */
export function databasesAt(port: number) {
  const url = (database: string) => urlOf(port, database)

  return {
    port,
    url,

    /**
     * Fails with 55006 while a client is connected to the template. A template of 30 small tables took 15 ms with
     * file_copy and 55 ms with the default, wal_log.
     */
    async createDatabase(options: { template?: string } = {}) {
      const name = `test_${randomBytes(8).toString('hex')}`
      const template = pg.escapeIdentifier(options.template ?? 'template0')
      await adminOf(port).query(`create database ${name} template ${template} strategy file_copy`)
      return name
    },

    /** Drops the database and its remaining connections. */
    async dropDatabase(name: string) {
      const escaped = pg.escapeIdentifier(name)
      await adminOf(port).query(`drop database if exists ${escaped} with (force)`)
    },
  }
}

const admins = new Map<number, pg.Pool>()

/** Keeps the connection open: connecting twice per database was almost half of the server's work for it. */
function adminOf(port: number): pg.Pool {
  const known = admins.get(port)
  if (known) return known
  const connectionString = urlOf(port, 'postgres')
  const admin = new pg.Pool({ connectionString, max: 2, allowExitOnIdle: true })
  admin.on('error', () => {}) // the server was stopped while idle
  admins.set(port, admin)
  return admin
}

const urlOf = (port: number, database: string) =>
  `postgres://hedgerow@127.0.0.1:${port}/${database}`

async function launch(
  bin: string,
  port: number,
  user: User | undefined,
  moreSettings: readonly string[],
  parent: string,
) {
  const options = [`port=${port}`, ...settings, ...moreSettings].flatMap((setting) => [
    '-c',
    setting,
  ])
  const server = spawn('sh', ['-c', script, 'sh', bin, parent, ...options], {
    ...user,
    // The current folder may be closed to the other user.
    cwd: '/',
    // Ctrl-C is for the test process; the server follows through the pipe.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await once(server, 'spawn')

  let log = ''
  // Reads the log, because a connection might reach another server on the same port. Reads it to the end, because a
  // full pipe would stop the server in the middle of a statement.
  const ready = await new Promise<boolean>((resolve) => {
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve(true)
    })
    server.stderr.on('close', () => resolve(false))
  })
  return { server: ready ? server : undefined, log }
}

async function stop(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.stdin?.destroy()
  await exited
}
