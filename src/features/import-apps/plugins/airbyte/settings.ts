import type { ConfigField } from '../schema.ts'
import { type Component, isComponent, toList } from './component.ts'
import { toSettingKey } from './templates.ts'

/** Translates the settings of a spec. Those within others become settings of their own, as `credentials_token`. */
export function toSettings(spec: unknown): ConfigField[] {
  const schema = isComponent(spec) ? spec.connection_specification : undefined
  const fields = isComponent(schema) ? listFields(schema, [], true) : []
  return [...new Map(fields.map((field) => [field.key, field])).values()]
}

type Setting = ConfigField & { readonly key: string }

function listFields(schema: Component, above: readonly string[], isRequired: boolean): Setting[] {
  const required = toList(schema.required)
  const properties = isComponent(schema.properties) ? schema.properties : {}
  const own = Object.entries(properties).flatMap(([name, given]): Setting[] => {
    const property: Component = isComponent(given) ? given : {}
    const path = [...above, name]
    const isNeeded = isRequired && required.includes(name)
    if (property.const !== undefined) return []
    if (property.properties || property.oneOf) return listFields(property, path, isNeeded)
    return [toField(toSettingKey(path), name, property, isNeeded)]
  })
  // each choice has settings of its own, of which only those of one choice are set
  const choices = toList(schema.oneOf).filter(isComponent)
  return [...own, ...choices.flatMap((choice) => listFields(choice, above, false))]
}

function toField(key: string, name: string, property: Component, isRequired: boolean): Setting {
  const { title, description, examples, enum: values, airbyte_secret } = property
  const choices = toList(values).map(String)
  const example = toList(examples)[0]
  const byDefault = property.default
  const hint = [
    typeof description === 'string' ? description.replace(/<[^>]*>/g, '') : '',
    example === undefined ? '' : `For example: ${String(example)}`,
    property.type === 'array' ? 'Separate several by commas.' : '',
  ].filter((text) => text !== '')
  return {
    key,
    name: typeof title === 'string' ? title : name,
    type: choices.length > 0 ? ('choice' as const) : ('string' as const),
    ...(choices.length > 0 && { choices }),
    ...(hint.length > 0 && { hint: hint.join(' ') }),
    ...(byDefault !== undefined && {
      default: Array.isArray(byDefault) ? byDefault.join(',') : String(byDefault),
    }),
    ...(isRequired && { required: true }),
    ...(airbyte_secret === true && { secret: true }),
  }
}
