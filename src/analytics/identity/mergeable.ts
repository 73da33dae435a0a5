/** Placeholders that clients send as IDs. Merging them would join unrelated persons. */
const NEVER = new Set([
  '',
  '0',
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
  'null',
  'nan',
  'none',
  '[object object]',
])

/** Tells whether an ID may be merged. Ignores case and surrounding quotes and spaces. */
export const isMergeable = (id: string): boolean =>
  !NEVER.has(id.replace(/^[\s"'`]+|[\s"'`]+$/g, '').toLowerCase())
