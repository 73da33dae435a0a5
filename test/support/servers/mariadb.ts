import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../until.ts'
import { createCertificate } from './certificate.ts'

const SERVER = '/usr/sbin/mariadbd'
const INSTALL = '/usr/bin/mariadb-install-db'

/** Tells whether this machine has MariaDB, which npm has not: `apt-get install mariadb-server`. */
export const hasMariadb = (): boolean => existsSync(SERVER) && existsSync(INSTALL)

export interface Mariadb {
  readonly port: number
  stop(): Promise<void>
}

/** Starts a real server in its own folder, with TLS. `setUp` are statements that it runs at its start. */
export async function startMariadb(setUp: readonly string[]): Promise<Mariadb> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-mariadb-'))
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const data = join(folder, 'data')
  await promisify(execFile)(INSTALL, [
    ...['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'],
    ...['--skip-test-db', ...user],
  ])
  const { key, cert } = createCertificate()
  await writeFile(join(folder, 'key.pem'), key)
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'set-up.sql'), setUp.map((one) => `${one};\n`).join(''))
  await chmod(folder, 0o755)
  const port = randomInt(20_000, 30_000)
  const child = spawn(
    SERVER,
    [
      ...['--no-defaults', `--datadir=${data}`, '--bind-address=127.0.0.1', `--port=${port}`],
      ...[`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, ...user],
      ...[`--ssl-cert=${join(folder, 'cert.pem')}`, `--ssl-key=${join(folder, 'key.pem')}`],
      ...[`--init-file=${join(folder, 'set-up.sql')}`, '--max-allowed-packet=64M'],
      ...['--innodb-buffer-pool-size=16M', '--innodb-flush-log-at-trx-commit=0'],
      ...['--innodb-log-file-size=16M', '--default-time-zone=+05:30'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until(() => {
    if (child.exitCode !== null) throw new Error(`MariaDB did not start: ${log.slice(-2000)}`)
    return log.includes('ready for connections')
  })
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
