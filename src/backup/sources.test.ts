import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../../test/support/app/app.ts'
import { runHedgerow, toEnv } from '../../test/support/app/cli.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { backUp, readContent } from '../../test/support/data/backups.ts'
import { newEvent } from '../../test/support/data/events.ts'
import { listenForBackups } from './control/server.ts'

/** Starts a server in which something happens each time a backup has opened the database, but not yet the events. */
async function start(happen: (api: TestApp) => Promise<unknown>) {
  const options = await storageOptions('sqlite')
  const api = await startApp(undefined, {}, options)
  const { events } = api.services
  await events.append(1, [newEvent(), newEvent()])
  let opened = 0
  const listener = await listenForBackups(options.dataFolder, {
    ...events,
    async openSnapshot(given) {
      opened++
      await happen(api)
      return events.openSnapshot(given)
    },
  })
  onTestFinished(() => listener.close())
  const back = async () => readContent(await backUp(options))
  return { api, options, back, opened: () => opened }
}

it('leaves out the events of projects that are created meanwhile', async () => {
  const { back, opened } = await start(async ({ post, services }) => {
    const { body } = await post('/api/projects', { name: 'New' })
    await services.events.append(body.id, [newEvent()])
  })

  const { tables, event_tables } = await back()

  expect(tables.projects).toBe(1)
  expect(event_tables).toMatchObject({ events: 2, persons: 1, person_ids: 1 })
  expect(opened()).toBe(1)
})

it('opens both again if a project is deleted meanwhile', async () => {
  let other: number | undefined
  const { api, back, opened } = await start(async () => {
    if (other !== undefined) {
      const { status } = await api.delete(`/api/projects/${other}?confirm=Old`)
      expect(status).toBe(204)
    }
    other = undefined
  })
  other = (await api.post('/api/projects', { name: 'Old' })).body.id as number
  await api.services.events.append(other, [newEvent()])

  const { tables, event_tables } = await back()

  expect(tables.projects).toBe(1)
  expect(event_tables).toMatchObject({ events: 2, persons: 1 })
  expect(opened()).toBe(2)
})

it('ends with the message of a server that refuses', async () => {
  const { options } = await start(() => Promise.reject(new Error('Another backup is running.')))

  const path = join(options.dataFolder, 'never.tar')
  const { code, stderr } = await runHedgerow(['backup', path], toEnv(options))

  expect([code, stderr]).toEqual([1, 'hedgerow: Another backup is running.\n'])
})
