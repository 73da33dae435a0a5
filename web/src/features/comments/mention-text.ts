import { userName } from '../../ui/page/user-name.ts'

interface NamedUser {
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

/** A user as comments name them. */
export interface Mentionable {
  readonly id: number
  /** Unique, so that a text says who is meant. */
  readonly name: string
}

/** Names users, those who share a name by their e-mail address too. */
export function toMentionables(users: readonly NamedUser[]): Mentionable[] {
  const byName = Map.groupBy(users, userName)
  return users.map((user) => {
    const name = userName(user)
    const isShared = (byName.get(name)?.length ?? 0) > 1
    return { id: user.id, name: isShared ? `${name} (${user.email})` : name }
  })
}

/** A name that is being typed after an @. */
interface MentionQuery {
  /** The place of the @. */
  readonly from: number
  readonly words: string
}

/** Finds the name that is being typed before the caret. */
export function findMentionQuery(text: string, caret: number): MentionQuery | undefined {
  const typed = /(?:^|\s)@([^@\n]{0,40})$/.exec(text.slice(0, caret))?.[1]
  return typed === undefined
    ? undefined
    : { from: caret - typed.length - 1, words: typed.toLowerCase() }
}

/** Lists the users whose name, or a part of it, begins with what is typed. */
export const matchMentionables = (
  people: readonly Mentionable[],
  words: string,
): readonly Mentionable[] =>
  people.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${words.trimStart()}`))

/** Part of a text; `id`: the user whom it mentions. */
export interface Piece {
  readonly text: string
  readonly id?: number
}

/** Splits a text at the names of users after an @. */
export function splitMentions(text: string, people: readonly Mentionable[]): Piece[] {
  // the longest first: "@Ada Lovelace" does not mention "Ada"
  const longest = people.toSorted((a, b) => b.name.length - a.name.length)
  const pieces: Piece[] = []
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const found =
      text[at] === '@' ? longest.find(({ name }) => text.startsWith(name, at + 1)) : undefined
    if (!found) {
      plain += text[at++]
      continue
    }
    if (plain) pieces.push({ text: plain })
    plain = ''
    pieces.push({ text: `@${found.name}`, id: found.id })
    at += found.name.length + 1
  }
  return plain ? [...pieces, { text: plain }] : pieces
}

/** Lists the IDs of the users whom a text mentions. */
export const listMentioned = (text: string, people: readonly Mentionable[]): number[] => [
  ...new Set(splitMentions(text, people).flatMap(({ id }) => id ?? [])),
]
