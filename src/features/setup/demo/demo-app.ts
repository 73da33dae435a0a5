/** The built-in import app that generates demo data. */
export const DEMO_APP = 4

/** The value of `$host` in every demo event. The domain is reserved for examples, so no real event has it. */
export const DEMO_HOST = { key: '$host', value: 'fieldnotes.example.com' } as const
