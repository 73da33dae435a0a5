import fc from 'fast-check'

/** Generates the same inputs in every run, so a failure means a change; FUZZ_SEED selects others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) })
