import { buildApp } from './build-app.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** `npm run build`: the app for production, if it is not built yet. */
process.exitCode = (await buildApp(await prepareToolchain())) ? 0 : 1;
