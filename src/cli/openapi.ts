import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import type { OpenApiDocument } from '../http/openapi-document.ts'
import { openServices } from '../services.ts'
import { type OutputFormat, print, withFormat } from './print.ts'

export function define(command: Command): void {
  withFormat(command, 'openapi --out openapi.json')
    .option('--out <file>', 'write to a file instead of stdout')
    .action(writeDocument)
}

async function writeDocument({ out, ...format }: OutputFormat & { out?: string }): Promise<void> {
  const document = await describeApp()
  const text = JSON.stringify(document, null, 2)
  if (out === undefined) return print(format, document, text)
  await writeFile(out, `${text}\n`).catch((error: Error) => {
    throw new OperatorError(`Cannot write ${out}: ${error.message}.`)
  })
  print(format, { out }, `Wrote ${out}`)
}

/** Uses temporary storage, so that no database or setting is needed. */
async function describeApp(): Promise<OpenApiDocument> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hedgerow-openapi-'))
  try {
    const config = { ...readConfig({}), dataFolder, logLevel: 'silent' } as const
    const services = await openServices(config, () => {})
    const app = buildApp({ services, config })
    app.addHook('onClose', () => services.close())
    await app.ready()
    const document = app.openApiDocument()
    await app.close()
    return document
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}
