import type { Command } from 'commander'
import { createProject } from '../features/accounts/projects/projects.ts'
import { listAllProjects } from '../features/accounts/projects/store.ts'
import { type OutputFormat, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('create'), 'project create --name "Web shop"')
    .description('create a project')
    .requiredOption('--name <name>', 'the name')
    .action(create)
  withFormat(command.command('list'), 'project list').description('list the projects').action(list)
}

async function create({ name, ...format }: OutputFormat & { name: string }): Promise<void> {
  const project = await withStorage((db) => createProject(db, name))
  print(format, project, `Project ${project.id}: ${project.name}`)
}

async function list(format: OutputFormat): Promise<void> {
  const results = await withStorage(listAllProjects)
  const rows = results.map(({ id, name, api_token }) => [`${id}`, name, api_token])
  print(format, { results }, toTable(['ID', 'NAME', 'EVENT TOKEN'], rows))
}
