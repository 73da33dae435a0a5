import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../tools/sources.ts'

/** A section of docs/sdks.md. */
export interface Recipe {
  readonly name: string
  readonly commands: readonly string[]
  /** By name: a block of code begins with the name of its file. */
  readonly files: Readonly<Record<string, string>>
}

const BLOCK = /^```(\w+)\n(.*?)^```$/gms
const FILE_NAME = /^\/\/ (\S+)\n/

/** Reads the sections of docs/sdks.md that have commands. */
export function readRecipes(): Recipe[] {
  const [, ...sections] = readFileSync(join(ROOT, 'docs/sdks.md'), 'utf8').split(/^## /m)
  return sections.map(toRecipe).filter(({ commands }) => commands.length > 0)
}

function toRecipe(section: string): Recipe {
  const [name = ''] = section.split('\n')
  const blocks = [...section.matchAll(BLOCK)].map(([, language, code = '']) => ({ language, code }))
  const commands = blocks.filter(({ language }) => language === 'sh')
  const files = blocks.filter(({ language }) => language !== 'sh')
  return {
    name,
    commands: commands.flatMap(({ code }) => code.trim().split('\n')),
    files: Object.fromEntries(
      files.map(({ code }) => [FILE_NAME.exec(code)?.[1], code.replace(FILE_NAME, '')]),
    ),
  }
}
