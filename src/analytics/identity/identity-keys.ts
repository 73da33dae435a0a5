/** An event with `false` here changes no profile. */
export const PERSONLESS_KEY = '$process_person_profile'

/** Property keys by which an event changes a person, in the order of `PropertyTexts`. */
export const IDENTITY_KEYS = [
  '$anon_distinct_id',
  'alias',
  '$set',
  '$set_once',
  '$unset',
  PERSONLESS_KEY,
] as const

/** Keys with values of any size that change a person or a group, and what stands for one that is too large to be kept for queries. */
export const PROPERTY_CHANGES: readonly string[] = ['$set', '$set_once', '$unset', '$group_set']
export const TOO_LARGE = '$too_large'
