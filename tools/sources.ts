import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** Lists the files that git tracks or would track, relative to the root. */
export const listFiles = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)))

export const isCode = (file: string): boolean => /\.tsx?$/.test(file)

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
