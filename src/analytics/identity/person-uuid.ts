/**
 * The uuid of a new person as SQL of both databases, where `hash` is `md5(project_id || ':' || distinct_id)`. It is the
 * same for a project and an ID on every database, so that links to a person survive a rebuild.
 */
export const PERSON_UUID = `(substr(hash, 1, 12) || '3' || substr(hash, 14, 3) || '8' || substr(hash, 18))::uuid`
