import { bundlePackages, toCachedBundles } from '../src/cli/packages.ts'

// Run by `npm install`, so that `npm start` loads fewer files.
await bundlePackages(toCachedBundles())
