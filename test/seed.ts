import fc from 'fast-check'

/** The same inputs at every run, so that a red test means a change; FUZZ_SEED tries others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) })
