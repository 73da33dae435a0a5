import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'

const addGroup = (api: TestApp, key: string, day: number) =>
  addEvents(
    api,
    doing('ada', {
      event: '$groupidentify',
      timestamp: `2026-03-0${day}T10:00:00.000Z`,
      $group_type: 'company',
      $group_key: key,
      $group_set: {},
    }),
  )

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

async function readPage(api: TestApp, path: string) {
  const { status, body } = await api.get(path)
  expect(status).toBe(200)
  const keys = body.results.map((group: { group_key: string }) => group.group_key)
  return { keys, next: body.next && pathOf(body.next), previous: body.previous }
}

it('neither skips nor repeats groups when others arrive between two pages', {
  tags: 'sql',
}, async () => {
  const api = await useApp()
  for (const key of ['b', 'a', 'ü, "c"', 'Z']) await addGroup(api, key, 2)
  await addGroup(api, 'oldest', 1)

  const first = await readPage(api, 'groups?group_type_index=0&limit=2')
  await addGroup(api, 'newest', 3)
  await addGroup(api, 'A', 2)
  const second = await readPage(api, first.next)
  const third = await readPage(api, second.next)

  expect([first.keys, second.keys, third.keys]).toEqual([['Z', 'a'], ['b', 'ü, "c"'], ['oldest']])
  expect(third.next).toBeNull()
  const back = await readPage(api, pathOf(second.previous))
  expect(back.keys).toEqual(['Z', 'a'])
  const start = await readPage(api, pathOf(back.previous))
  expect(start).toMatchObject({ keys: ['newest', 'A'], previous: null })
  expect((await readPage(api, start.next)).keys).toEqual(['Z', 'a'])
})

it.each([
  'x',
  'o=2',
  'after soon a',
  'after 2026-13-45T10:00:00.000Z a',
  'after 2026-02-30T10:00:00.000Z a',
  'after 2026-03-01',
])('refuses the cursor %j', async (text) => {
  const api = await useApp()
  await addGroup(api, 'a', 1)
  const cursor = Buffer.from(text).toString('base64url')

  const { status, body } = await api.get(`groups?group_type_index=0&cursor=${cursor}`)

  expect([status, body.attr]).toEqual([400, 'cursor'])
})
