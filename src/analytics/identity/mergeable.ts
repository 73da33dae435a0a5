/** IDs that clients send when they know none, so that merging them would make one person of many. */
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

/** Whether an ID may be merged, whatever its case and the quotes and spaces around it. */
export const isMergeable = (id: string): boolean =>
  !NEVER.has(id.replace(/^[\s"'`]+|[\s"'`]+$/g, '').toLowerCase())
