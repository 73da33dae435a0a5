import { withoutPassword } from '#server/db/without-password.ts'

/** Names a server and a database for messages. */
export const toPlace = (url: string): string => `ClickHouse at ${withoutPassword(url)}`
