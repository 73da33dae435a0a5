import { type Static, Type } from 'typebox'
import { choice, optional, options, PropertyFilter } from './query-kinds/common.schema.ts'

export const MATCHINGS = ['contains', 'exact', 'regex'] as const

const matching = (description: string) =>
  optional({ ...choice(MATCHINGS), title: 'ActionMatching', description })

/**
 * A rule of an action, in PostHog's shape. Events do not keep the elements of a page, so a rule about a selector, a tag
 * or a link is refused by its name.
 */
export const ActionStep = {
  ...options(
    {
      event: optional(Type.String({ maxLength: 400, description: 'The name of the event.' })),
      url: optional(
        Type.String({ maxLength: 1000, description: 'Compared with `$current_url` of the event.' }),
      ),
      url_matching: matching('Default: `contains`.'),
      text: optional(
        Type.String({
          maxLength: 1000,
          description: 'Compared with `$el_text`, the text of the element that was clicked.',
        }),
      ),
      text_matching: matching('Default: `exact`.'),
      properties: optional(
        Type.Array(PropertyFilter, { maxItems: 20, description: 'Filters as in queries.' }),
      ),
    },
    ['href_matching', 'id', 'name', 'isNew'],
  ),
  title: 'ActionStep',
  description: 'An event matches a step if all conditions of the step hold.',
}
export type ActionStep = Static<typeof ActionStep>
