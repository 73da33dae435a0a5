import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { luminance } from '#model/palette.ts'

const styles = readFileSync('web/src/styles.css', 'utf8')

/** `#fff` as `#ffffff`. */
const toLong = (color: string): string =>
  color.length === 4 ? color.replaceAll(/\w/g, '$&$&') : color

/** Reads the hexadecimal colors that a scheme sets. */
function colorsOf(scheme: string): Readonly<Record<string, string>> {
  const [, block = ''] = styles.split(`[data-mantine-color-scheme="${scheme}"] {`)
  const [body = ''] = block.split('}')
  const found = [...body.matchAll(/(--[\w-]+): (#\w+);/g)]
  return Object.fromEntries(found.map(([, name, color = '']) => [name, toLong(color)]))
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it.each(['light', 'dark'])(
  'an empty checkbox stands out from every surface in %s mode',
  (scheme) => {
    const colors = colorsOf(scheme)

    for (const surface of ['--mantine-color-body', '--hg-surface', '--hg-raised']) {
      expect(contrast(`${colors['--hg-control']}`, `${colors[surface]}`), surface).toBeGreaterThan(
        3,
      )
    }
  },
)
