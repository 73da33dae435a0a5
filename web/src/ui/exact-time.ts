const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** `15 Nov 2026, 12:30:00`, where the browser is. */
export const toExactTime = (time: string | number): string => FORMAT.format(new Date(time))
