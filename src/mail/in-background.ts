interface Log {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Mails after the response, whose time must not depend on the mail server or on the recipient. `message` goes to the
 * log if it fails.
 */
export function mailInBackground(
  log: Log,
  message: string,
  send: () => Promise<string | undefined>,
): void {
  setImmediate(() =>
    send().then(
      (problem) => problem && log.warn({ problem }, message),
      (err) => log.error({ err }, message),
    ),
  )
}
