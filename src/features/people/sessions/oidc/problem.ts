/** Why somebody is not signed in, as the sign-in page tells it in its own words. */
export type OidcReason = 'unknown_email' | 'unverified_email' | 'refused' | 'too_late' | 'failed'

/** The message is for the log: what a provider says may be anything. */
export class OidcProblem extends Error {
  readonly reason: OidcReason

  constructor(reason: OidcReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export const failed = (message: string): OidcProblem => new OidcProblem('failed', message)
