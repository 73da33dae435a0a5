import fc from 'fast-check'

/** Generates the same inputs at every run, so that a failure means a change; FUZZ_SEED selects others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) })
