import type { Command } from 'commander'
import {
  createScimToken,
  listScimTokens,
  revokeScimToken,
} from '../features/accounts/scim/tokens.ts'
import { type OutputFormat, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('create-token'), 'scim create-token --label Entra')
    .description('create a token for an identity provider and show it once')
    .requiredOption('--label <text>', 'who uses the token')
    .action(create)
  withFormat(command.command('list-tokens'), 'scim list-tokens')
    .description('list the tokens')
    .action(list)
  withFormat(command.command('revoke-token'), 'scim revoke-token 4GqVb0xPzT7uYh2kRw9cNd')
    .description('revoke a token')
    .argument('<id>', 'the id, from `hedgerow scim list-tokens`')
    .action(revoke)
}

async function create({ label, ...format }: OutputFormat & { label: string }): Promise<void> {
  const token = await withStorage((db) => createScimToken(db, label))
  const lines = [
    `SCIM token "${token.label}". It is shown only once, so keep it safe:`,
    '',
    `  ${token.value}`,
    '',
    'The address for the identity provider is <HEDGEROW_URL>/scim/v2',
    `To revoke it: hedgerow scim revoke-token ${token.id}`,
  ]
  print(format, token, lines.join('\n'))
}

async function list(format: OutputFormat): Promise<void> {
  const results = await withStorage(listScimTokens)
  const rows = results.map((token) => [
    token.id,
    token.mask,
    token.label,
    token.created_at,
    token.last_used_at ?? 'never',
  ])
  print(format, { results }, toTable(['ID', 'TOKEN', 'LABEL', 'CREATED', 'LAST USED'], rows))
}

async function revoke(id: string, format: OutputFormat): Promise<void> {
  const token = await withStorage((db) => revokeScimToken(db, id))
  print(format, token, `Revoked the SCIM token "${token.label}"`)
}
