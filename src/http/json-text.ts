import type { FastifyReply } from 'fastify'

/**
 * JSON that is text already. Documents are stored as text, so the busiest responses are written around them instead of
 * parsing and serializing them again (docs/decisions/0004).
 */
export type JsonText = string & { readonly isJson: unique symbol }

export const toJsonText = (value: unknown): JsonText => JSON.stringify(value) as JsonText

/** Escapes a string. */
export const quoted = (value: string | null): JsonText => JSON.stringify(value) as JsonText

/** Quotes a string that needs no escaping: a time, a UUID, a constant. */
export const plain = (value: string): JsonText => `"${value}"` as JsonText

/** A JSON document as it is stored. */
export const stored = (value: string): JsonText => value as JsonText

export const arrayText = (items: readonly JsonText[]): JsonText => `[${items.join()}]` as JsonText

/** Adds a field before those of an object. Concatenates, because merging would copy a large value. */
export const prependField = (name: string, value: JsonText, object: JsonText): JsonText =>
  `{"${name}":${value}${object.length > 2 ? ',' : ''}${object.slice(1)}` as JsonText

/** Joins large items without copying them. */
export const largeArrayText = (items: readonly JsonText[]): JsonText =>
  `[${items.reduce<string>((text, item, index) => (index === 0 ? item : `${text},${item}`), '')}]` as JsonText

/** Merges objects that have no field in common. */
export const mergeObjects = (...objects: readonly JsonText[]): JsonText => {
  const fields = objects.map((object) => object.slice(1, -1)).filter((text) => text !== '')
  return `{${fields.join()}}` as JsonText
}

/** The fields of an object, in order, each with the function that reads its value. */
export type JsonFields<Row, Context> = Readonly<
  Record<string, (row: Row, context: Context) => JsonText | number | boolean | null>
>

/**
 * Compiles fields into a function that writes a row as one JSON object.
 *
 * The function is generated so that each field is a separate call, which V8 inlines. For 100,000 dashboards it takes
 * 1.01 us each; one template string takes 0.95, a loop over the fields 1.24, parsing the stored documents and
 * JSON.stringify 2.66.
 */
export function jsonWriter<Row, Context = void>(
  fields: JsonFields<Row, Context>,
): (row: Row, context: Context) => JsonText {
  const names = Object.keys(fields)
  const parameters = names.map((_, index) => `field${index}`)
  const parts = names.map((name, index) => {
    const prefix = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    return `${JSON.stringify(prefix)} + field${index}(row, context)`
  })
  const body = `return (row, context) => ${[...parts, '"}"'].join(' + ')}`
  return new Function(...parameters, body)(...Object.values(fields))
}

export const sendJson = (reply: FastifyReply, json: JsonText, status = 200): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json)
