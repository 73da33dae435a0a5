import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { CATEGORIES, type Category } from '../plugins/schema.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const CategoryName = Type.Unsafe<Category>({
  title: 'PluginCategory',
  type: 'string',
  enum: [...CATEGORIES],
})

export const CatalogApp = Type.Object(
  {
    plugin: Type.Integer({ description: 'The ID of the app, by which a config uses it.' }),
    name: Type.String(),
    description: Type.String(),
    icon: TextOrNull,
    category: CategoryName,
    license: Type.Union([Type.String(), Type.Null()], {
      description: 'The SPDX license of a built-in app; null for others.',
    }),
    streams: Type.Array(Type.String(), {
      description: 'What a built-in app of a service imports, by the names of its streams.',
    }),
    template: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the dashboard template for its events.',
    }),
    docs: Type.Union([Type.String(), Type.Null()], { description: 'The path of its page.' }),
    version: Type.String(),
    built_in: Type.Boolean(),
    update_available: Type.Boolean({
      description: 'Whether the last check found a version other than the installed one.',
    }),
  },
  { title: 'CatalogApp', additionalProperties: false },
)
export type CatalogApp = Static<typeof CatalogApp>

export const CatalogQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Text in the name, description, category or streams.',
    }),
  ),
  category: Type.Optional(CategoryName),
})
export type CatalogQuery = Static<typeof CatalogQuery>
