import { main } from '#server/main.ts'

interface Row {
  readonly args: readonly string[]
  readonly env: Record<string, string | undefined>
}

const { PATH, TMPDIR } = process.env
process.stdout.setMaxListeners(0) // each command adds one
process.on('message', async ({ args, env }: Row) => {
  process.env = { PATH, TMPDIR, ...env }
  process.exitCode = 0
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      written[name] += text
      return true
    }
  }
  await main([process.execPath, 'hedgerow', ...args])
  process.send?.({ code: process.exitCode, ...written })
})
