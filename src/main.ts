import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { report, writeUsageError } from './cli/report.ts'

/**
 * Commands are loaded on demand: all of them take 0.7 s, `--version` alone 0.1 s and most commands
 * 0.3 s.
 */
const COMMANDS = [
  ['serve', 'start the server', () => import('./cli/serve.ts')],
  ['demo', 'start a server with demo data', () => import('./cli/demo.ts')],
  ['worker', 'run import apps in a separate process', () => import('./cli/worker.ts')],
  ['migrate', "migrate the database to this version's schema", () => import('./cli/migrate.ts')],
  ['user', 'create and list users', () => import('./cli/user.ts')],
  ['project', 'create and list projects', () => import('./cli/project.ts')],
  ['member', 'add users to projects and remove them', () => import('./cli/member.ts')],
  ['key', 'create, list and revoke API keys', () => import('./cli/key.ts')],
  ['scim', 'create, list and revoke tokens for SCIM', () => import('./cli/scim.ts')],
  ['app', 'install, list, upgrade, remove and create import apps', () => import('./cli/app.ts')],
  ['secrets', 'rotate the key that encrypts secrets', () => import('./cli/secrets.ts')],
  ['events', 'continue without lost events', () => import('./cli/events.ts')],
  ['persons', 'derive persons from the events again', () => import('./cli/persons.ts')],
  ['backup', 'back up everything into one file', () => import('./cli/backup.ts')],
  ['restore', 'restore a backup', () => import('./cli/restore.ts')],
  ['move', 'move everything to other storage', () => import('./cli/move.ts')],
  ['openapi', "print the API's OpenAPI document", () => import('./cli/openapi.ts')],
  ['doctor', 'check the installation', () => import('./cli/doctor.ts')],
] as const

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', () => process.exit(1)) // the reader has closed the pipe, as `head` does
  const program = new Command('hedgerow')
    .description(packageJson.description)
    .configureOutput({ outputError: writeUsageError })
    .exitOverride()
  const asksVersion = argv.includes('--version') || argv.includes('-V')
  program.version(asksVersion ? (await import('./cli/version.ts')).describeVersion() : '')
  for (const [name, about, load] of COMMANDS) {
    const command = program.command(name).description(about)
    if (argv.includes(name)) (await load()).define(command)
  }
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}
