import { expect, it } from 'vitest'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'

const FORMS = import.meta.glob('./*/form.tsx', { eager: true, import: 'default' })

it.each(QUERY_KINDS)('$kind has a form', ({ id }) => {
  expect(FORMS[`./${id}/form.tsx`]).toBeTypeOf('function')
})
