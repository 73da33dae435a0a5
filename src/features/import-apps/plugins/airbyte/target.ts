import { type Component, isComponent } from './component.ts'
import { toName } from './partitions.ts'
import type { Step } from './transformations.ts'

/** Fields that usually identify a person, best first. */
const PERSONS = [
  ...['email', 'email_address', 'user_email', 'customer_email', 'user_id', 'userId', 'customer_id'],
  ...['customerId', 'contact_id', 'person_id', 'customer', 'user', 'login', 'username'],
]
/** Fields that usually have the time at which a record was created. */
const TIMES = [
  'created_at',
  'createdAt',
  'created',
  'created_date',
  'date_created',
  'timestamp',
  'date',
]

/**
 * Chooses what the events look like, which a manifest does not tell: named for the stream, at the time when the record
 * was created or that of its cursor, by the person that its schema names, or else by the record itself.
 */
export function toTarget(
  part: Component,
  cursor: unknown,
  primaryKey: readonly string[],
  transform: readonly Step[],
): Readonly<Record<string, unknown>> {
  const name = toName(String(part.name))
  const schema = isComponent(part.schema_loader) ? part.schema_loader.schema : undefined
  const known = isComponent(schema) && isComponent(schema.properties) ? schema.properties : {}
  const has = (field: string) => Object.hasOwn(known, field)
  const persons = [...PERSONS.filter(has), ...primaryKey]
  const time = TIMES.find(has) ?? cursor
  // without any ID, all records are of one person
  const steps = persons.length > 0 ? transform : [...transform, { add: { stream: name } }]
  return {
    ...(steps.length > 0 && { transform: steps }),
    to: {
      event: name,
      person: persons.length > 0 ? persons.slice(0, 10) : 'stream',
      ...(time !== undefined && { time }),
    },
  }
}
