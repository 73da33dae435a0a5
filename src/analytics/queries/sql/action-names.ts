const MATCHES_ACTION = /\bmatchesAction\s*\(\s*(?:(\d{1,15})|'((?:''|[^'])*)')/gi

/** Lists the IDs and names of actions in a text, without regard to strings and comments, so perhaps some more. */
export const findNamedActions = (text: string): (number | string)[] =>
  [...text.matchAll(MATCHES_ACTION)].map(([, id, name = '']) =>
    id ? Number(id) : name.replaceAll("''", "'"),
  )
