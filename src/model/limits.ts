/** Limits that the server checks and the browser names. */
export const MIN_PASSWORD = 10
/** The number of skipped rows that are kept of a run. */
export const MAX_SKIPPED_ROWS = 10_000
/** Ends a test run: enough to see whether the settings are right, even if the source has millions of rows. */
export const MAX_TEST_ROWS = 1000
