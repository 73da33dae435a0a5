import type { Command } from 'commander'
import { addMember, removeMember } from '../features/accounts/members/project-members.ts'
import { parseProject } from './arguments.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withMember(command.command('add'), 'member add --user jo@example.com --project 2')
    .description('add a user to a project')
    .action(add)
  withMember(command.command('remove'), 'member remove --user jo@example.com --project 2')
    .description('remove a user from a project')
    .action(remove)
}

const withMember = (command: Command, example: string): Command =>
  withFormat(command, example)
    .requiredOption('--user <user>', 'e-mail, UUID or ID')
    .requiredOption('--project <id>', 'the project ID', parseProject)

interface Member extends OutputFormat {
  readonly user: string
  readonly project: number
}

async function add({ user, project, ...format }: Member): Promise<void> {
  const account = await withStorage((db) => addMember(db, user, project))
  print(format, account, `${account.email} is now a member of project ${project}`)
}

async function remove({ user, project, ...format }: Member): Promise<void> {
  const account = await withStorage((db) => removeMember(db, user, project))
  print(format, account, `${account.email} is no longer a member of project ${project}`)
}
