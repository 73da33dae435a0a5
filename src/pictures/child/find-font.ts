import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Finds a file of a font's package. An npm package of Hedgerow has it in `lib/fonts` (tools/compile.ts). */
export function findFont(path: string): string {
  const packed = fileURLToPath(new URL(`../../fonts/${basename(path)}`, import.meta.url))
  return existsSync(packed) ? packed : fileURLToPath(import.meta.resolve(path))
}
