import { expect, it } from 'vitest'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'

const PARTS = import.meta.glob(['./*/form.tsx', './*/icon.ts'], { eager: true, import: 'default' })

it.each(QUERY_KINDS)('$kind has a form and an icon', ({ id }) => {
  expect(PARTS[`./${id}/form.tsx`]).toBeTypeOf('function')
  expect(PARTS[`./${id}/icon.ts`]).toBeDefined()
})
