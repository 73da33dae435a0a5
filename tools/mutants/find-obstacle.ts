import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readText } from '../sources.ts'
import type { Mutant } from './mutants.ts'

/** Finds the reason why a mistake cannot be planted, or undefined. */
export function findObstacle({ file, find, tests }: Mutant): string | undefined {
  const lost = [file, ...tests].find((path) => !existsSync(join(ROOT, path)))
  if (lost) return `${lost} does not exist`
  const count = readText(file).split(find).length - 1
  return count === 1 ? undefined : `its text occurs ${count} times in ${file}`
}
