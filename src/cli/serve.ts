import type { Command } from 'commander'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import { prepareStorage, type Welcome } from '../features/setup/first-start.ts'
import { requireFreeAddress, toListenError } from './listen.ts'
import { type Format, print, withFormat } from './print.ts'
import { stopOnSignals } from './signals.ts'
import { collectStartUpGarbage } from './start-up-garbage.ts'

export function define(command: Command): void {
  withFormat(command, 'serve')
    .addHelpText('after', '\nSettings come from the environment: see docs/operating.md')
    .action(serve)
}

async function serve(format: Format): Promise<void> {
  const config = readConfig()
  await requireFreeAddress(config)
  const storage = await openStorage({ ...config, check: true })
  const app = buildApp({ storage, config })
  app.addHook('onClose', () => storage.close())
  try {
    const welcome = await prepareStorage(storage.db, config.firstStart)
    await app.ready()
    collectStartUpGarbage()
    const url = await app.listen({ host: config.host, port: config.port })
    stopOnSignals(app)
    const { email = null, password = null, apiKey = null } = welcome ?? {}
    print(format, { url, email, password, value: apiKey }, describe(url, welcome))
  } catch (error) {
    await app.close()
    throw toListenError(error as NodeJS.ErrnoException, config)
  }
}

function describe(url: string, welcome: Welcome | undefined): string {
  const lines = [`Hedgerow is ready at ${url}`]
  if (welcome) {
    lines.push('', 'First start. These are shown only now:')
    lines.push(`  sign-in   ${welcome.email}`)
    lines.push(`  password  ${welcome.password ?? '(as set in HEDGEROW_OWNER_PASSWORD)'}`)
    lines.push(`  API key   ${welcome.apiKey ?? '(as set in HEDGEROW_API_KEY)'}`)
    lines.push(
      '',
      `Try it:  curl -H "Authorization: Bearer ${welcome.apiKey ?? '$HEDGEROW_API_KEY'}" ${url}/api/projects`,
    )
  }
  lines.push('', `API reference: ${url}/docs`)
  return lines.join('\n')
}
