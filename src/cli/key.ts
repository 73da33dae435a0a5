import type { Command } from 'commander'
import { type KeyScope, SCOPES } from '../access/scopes.ts'
import { createApiKey, revokeApiKey } from '../features/accounts/api-keys/api-keys.ts'
import { type ApiKey, listApiKeys } from '../features/accounts/api-keys/store.ts'
import { getUser } from '../features/accounts/users/users.ts'
import { parseExpiry, parseProjects, parseScopes } from './arguments.ts'
import { type OutputFormat, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(
    command.command('create'),
    'key create --user jo@example.com --label CI --scope dashboard:read plugin:write --expires 30d',
  )
    .description('create an API key and show it once')
    .requiredOption('--user <user>', 'owner of the key: e-mail, UUID or ID')
    .requiredOption('--label <text>', 'purpose of the key')
    .requiredOption('--scope <scope...>', `one or more of ${SCOPES.join(', ')} or *`, parseScopes)
    .option('--project <id...>', 'limit it to these projects', parseProjects)
    .option(
      '--expires <when>',
      'a duration (12h, 30d, 8w), a date or a date-time (UTC by default)',
      parseExpiry,
    )
    .action(create)
  withFormat(command.command('list'), 'key list --user jo@example.com')
    .description('list the API keys')
    .option('--user <user>', 'only keys of this user: e-mail, UUID or ID')
    .action(list)
  withFormat(command.command('revoke'), 'key revoke 4GqVb0xPzT7uYh2kRw9cNd')
    .description('revoke an API key')
    .argument('<id>', 'the id, from `hedgerow key list`')
    .action(revoke)
}

interface CreateOptions extends OutputFormat {
  readonly user: string
  readonly label: string
  readonly scope: readonly KeyScope[]
  readonly project?: readonly number[]
  readonly expires?: string
}

async function create(options: CreateOptions): Promise<void> {
  const { user, label, scope: scopes, project: projects, expires: expiresAt } = options
  const key = await withStorage((db) =>
    createApiKey(db, { user, label, scopes, projects, expiresAt }),
  )
  const lines = [
    `Key "${key.label}" of ${key.user.email}. It is shown only once, so keep it safe:`,
    '',
    `  ${key.value}`,
    '',
    `Scopes:   ${key.scopes.join(', ')}`,
    `Projects: ${toProjects(key)}`,
    `Expires:  ${key.expires_at ?? 'never'}`,
    `To revoke it: hedgerow key revoke ${key.id}`,
  ]
  print(options, key, lines.join('\n'))
}

async function list({ user, ...format }: OutputFormat & { user?: string }): Promise<void> {
  const results = await withStorage(async (db) =>
    listApiKeys(db, user === undefined ? undefined : (await getUser(db, user)).id),
  )
  const titles = ['ID', 'KEY', 'USER', 'LABEL', 'SCOPES', 'PROJECTS', 'EXPIRES', 'LAST USED']
  const rows = results.map((key) => [
    key.id,
    key.mask,
    key.user.email,
    key.label,
    key.scopes.join(', '),
    toProjects(key),
    toMinute(key.expires_at) || 'never',
    toMinute(key.last_used_at) || 'never',
  ])
  print(format, { results }, toTable(titles, rows))
}

async function revoke(id: string, format: OutputFormat): Promise<void> {
  const key = await withStorage((db) => revokeApiKey(db, id))
  print(format, key, `Revoked the key "${key.label}" of ${key.user.email}`)
}

const toProjects = ({ projects }: ApiKey): string => projects?.join(', ') ?? 'all'

const toMinute = (time: string | null): string =>
  time === null ? '' : `${time.slice(0, 16).replace('T', ' ')}Z`
