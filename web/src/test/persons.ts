import type { Static } from 'typebox'
import type { Person as PersonSchema } from '#server/features/events/person-rows/schema.ts'

type Person = Static<typeof PersonSchema>

export const PERSONS = '/api/projects/1/persons'

export const person = (id: number, fields: Partial<Person> = {}): Person => ({
  id,
  uuid: `00000000-0000-8000-8000-${`${id}`.padStart(12, '0')}`,
  name: 'ada@example.com',
  distinct_ids: ['ada'],
  properties: {},
  created_at: '2026-01-05T10:00:00.000Z',
  is_identified: true,
  ...fields,
})
