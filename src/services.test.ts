import { existsSync, globSync, readlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { storageOptions } from '../test/support/app/storage.ts'
import { newEvent } from '../test/support/data/events.ts'
import { readConfig } from './config.ts'
import { generateSecretKey, toKeyText } from './secrets/keys.ts'
import { openServices } from './services.ts'

const FILES = '/proc/self/fd'

const listOpenFiles = (folder: string): string[] =>
  globSync(`${FILES}/*`)
    .flatMap((file) => (existsSync(file) ? [readlinkSync(file)] : []))
    .filter((file) => file.startsWith(folder))

it.runIf(existsSync(FILES))('closes everything when a later service cannot be opened', async () => {
  const storage = await storageOptions('sqlite')
  const config = { ...readConfig({}), ...storage }
  const open = (secretKey?: string) => openServices({ ...config, secretKey }, () => {}, true)
  const services = await open()
  await services.events.append(1, [newEvent()])
  await services.close()

  const failing = open(toKeyText(generateSecretKey()))

  await expect(failing).rejects.toThrow('The secret key does not fit this database')
  expect(listOpenFiles(storage.dataFolder)).toEqual([])
})
