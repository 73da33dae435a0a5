import type { Command } from 'commander'
import { type KeyScope, SCOPES } from '../access/scopes.ts'
import { createApiKey, revokeApiKey } from '../features/people/api-keys/api-keys.ts'
import { type ApiKey, listApiKeys } from '../features/people/api-keys/store.ts'
import { getUser } from '../features/people/users/users.ts'
import { parseExpiry, parseProjects, parseScopes } from './arguments.ts'
import { type Format, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(
    command.command('create'),
    'key create --user jo@example.com --label CI --scope dashboard:read plugin:write --expires 30d',
  )
    .description('make an API key and show it, once')
    .requiredOption('--user <user>', 'whose key it is: e-mail, uuid or id')
    .requiredOption('--label <text>', 'what it is for')
    .requiredOption('--scope <scope...>', `what it may do: ${SCOPES.join(', ')} or *`, parseScopes)
    .option('--project <id...>', 'limit it to these projects', parseProjects)
    .option(
      '--expires <when>',
      'a span (12h, 30d, 8w), a date, or a date-time; UTC unless it says otherwise',
      parseExpiry,
    )
    .action(create)
  withFormat(command.command('list'), 'key list --user jo@example.com')
    .description('list the API keys')
    .option('--user <user>', 'only theirs: e-mail, uuid or id')
    .action(list)
  withFormat(command.command('revoke'), 'key revoke 4GqVb0xPzT7uYh2kRw9cNd')
    .description('make an API key worthless')
    .argument('<id>', 'its id, from `hedgerow key list`')
    .action(revoke)
}

interface CreateOptions extends Format {
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
    `Key "${key.label}" of ${key.user.email}. It is shown only now, so keep it safe:`,
    '',
    `  ${key.value}`,
    '',
    `It may ${key.scopes.join(', ')} in ${key.projects ? `project ${reach(key)}` : 'all their projects'}, ${key.expires_at ? `until ${key.expires_at}` : 'without end'}.`,
    `To end it: hedgerow key revoke ${key.id}`,
  ]
  print(options, key, lines.join('\n'))
}

async function list({ user, ...format }: Format & { user?: string }): Promise<void> {
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
    reach(key),
    toMinute(key.expires_at) || 'never',
    toMinute(key.last_used_at) || 'never',
  ])
  print(format, { results }, toTable(titles, rows))
}

async function revoke(id: string, format: Format): Promise<void> {
  const key = await withStorage((db) => revokeApiKey(db, id))
  print(format, key, `Revoked the key "${key.label}" of ${key.user.email}`)
}

const reach = ({ projects }: ApiKey): string => projects?.join(', ') ?? 'all'

const toMinute = (time: string | null): string =>
  time === null ? '' : `${time.slice(0, 16).replace('T', ' ')}Z`
