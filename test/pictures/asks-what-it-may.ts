import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Replaces the drawing process and responds with what it is allowed to do. */
const attempt = (action: () => unknown): string => {
  try {
    action()
    return 'done'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

process.on('disconnect', () => process.exit(0))
process.on('message', () =>
  process.send?.({
    picture: JSON.stringify({
      environment: Object.keys(process.env),
      write: attempt(() => writeFileSync(join(tmpdir(), 'hedgerow-drawing-wrote-this'), '')),
      spawn: attempt(() => execFileSync(process.execPath, ['--version'])),
    }),
    problems: [],
  }),
)
