import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * `node test/side-by-side.ts lint types` runs these npm scripts at the same time, and tells of each when it ends: what
 * it printed, only if it failed. Fails if any of them did.
 */
async function run(name: string): Promise<boolean> {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  const [code, printed, complained] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ])
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} ${seconds} s`)
  if (code !== 0) console.log(printed + complained)
  return code === 0
}

const passed = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = passed.every(Boolean) ? 0 : 1
