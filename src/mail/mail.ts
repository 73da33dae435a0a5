export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Keeps header values such as subjects on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Wraps the paragraphs of a mail. */
export const toMailHtml = (body: string): string =>
  `<!doctype html><html><body style="font-family: sans-serif">${body}</body></html>`
