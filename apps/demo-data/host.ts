/** The value of `$host` in every event. The domain is reserved for examples, so no real event has it. */
export const HOST = 'fieldnotes.example.com'
