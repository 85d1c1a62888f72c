import { buildApp } from './build-app.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** `npm run build`: builds the app for production, if that build is outdated. */
process.exitCode = (await buildApp(await prepareToolchain())) ? 0 : 1;
